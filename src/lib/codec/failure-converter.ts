import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Puts messages and stack traces of failures into a payload, which the codec then encrypts. Without a codec it would only
 * hide them from the Web UI. Loaded by path, into the workflow bundle too: nothing of Node may be imported here.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
