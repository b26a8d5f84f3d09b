import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { workflowInfo, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import * as ours from './index';
import { replacedNames } from './replaced-names';

/** Names that the SDK keeps for itself: where unknown names have a handler, it throws at these. */
const RESERVED = /^__temporal_/;

function isReadable(payload: Payload): boolean {
  try {
    defaultPayloadConverter.fromPayload(payload);
    return true;
  } catch {
    return false;
  }
}

function encodingOf({ metadata }: Payload): string {
  return String.fromCharCode(...(metadata?.['encoding'] ?? []).slice(0, 40));
}

/** The form for signals of the Web UI also offers `json/protobuf`, which is JSON. What cannot be read becomes a text that says so. */
function readable(payload: Payload): Payload {
  if (isReadable(payload)) return payload;
  const encoding = encodingOf(payload);
  const metadata = defaultPayloadConverter.toPayload(null).metadata ?? {};
  const json = { ...payload, metadata };
  if (encoding === 'json/protobuf' && isReadable(json)) return json;
  return defaultPayloadConverter.toPayload(`(a payload of the encoding "${encoding}" that cannot be read)`);
}

/**
 * What somebody sends by hand must not block a run: the SDK would fail the workflow task that brings a signal it cannot
 * decode, and try it again for ever. Not for workers with a payload converter of their own, which reads other payloads.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  if (!Object.hasOwn(ours, workflowInfo().workflowType)) return {};
  return {
    internals: [
      {
        activate(input, next) {
          // Workflows are loaded after their interceptors, so it is not known sooner.
          if (replacedNames.has(workflowInfo().workflowType)) return next(input);
          for (const { signalWorkflow: signal, doUpdate: update } of input.activation.jobs ?? []) {
            if (signal?.input) signal.input = signal.input.map(readable);
            // Then it is a name like others that mean nothing here.
            if (signal?.signalName) signal.signalName = signal.signalName.replace(RESERVED, 'temporal_');
            if (update?.name) update.name = update.name.replace(RESERVED, 'temporal_');
          }
          next(input);
        },
      },
    ],
  };
};
