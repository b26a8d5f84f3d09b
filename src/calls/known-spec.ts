import { createHash } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import type { Json } from '../lib/json/json';
import { comparableText } from '../lib/text/similarity';
import type { CallOptions } from './call-options';
import { isNotFound } from './chain';
import { withTypedErrors } from './errors/with-typed-errors';

/** The memo field of a run that `startOnce` started: the digests of its spec. */
export const SPEC_FIELD = 'reflectionSpec';

/** Hexadecimal digits of a digest: with the kept page, the memo stays below 2 KiB. */
const DIGITS = 24;

/**
 * Computes the digests of a spec as it was given and in its long form. Two specs are equal if they share one: a short form equals
 * its long form, and it equals itself in a release that writes its prompts otherwise. The order of keys does not matter.
 */
export function specDigests(workflowType: string, forms: readonly unknown[]): string[] {
  const digests = forms.map((spec) =>
    createHash('sha256')
      .update(comparableText({ [workflowType]: spec as Json }))
      .digest('hex')
      .slice(0, DIGITS),
  );
  return [...new Set(digests)];
}

/** A run that has an id, with the digests of its spec. */
interface KnownSpec {
  first: string;
  latest: string;
  /** Undefined if another method than `startOnce` started it. */
  digests: string[] | undefined;
}

/** Reads the digests of the run that has an id; undefined if the server keeps none. Reads nothing else of the memo. */
export async function readKnownSpec(
  temporal: Client,
  workflowId: string,
  { timeout, signal }: CallOptions,
): Promise<KnownSpec | undefined> {
  const { namespace, loadedDataConverter } = temporal.options;
  const call = { method: 'startOnce', kind: 'start', workflowId } as const;
  try {
    return await withTypedErrors(temporal, call, { timeout, signal }, async () => {
      const { workflowExecutionInfo: info } = await temporal.workflow.workflowService.describeWorkflowExecution({
        namespace,
        execution: { workflowId },
      });
      const latest = info?.execution?.runId ?? '';
      const payload = info?.memo?.fields?.[SPEC_FIELD];
      const kept = payload && (await decodeFromPayloadsAtIndex<unknown>(loadedDataConverter, 0, [payload]));
      // A starter may have used the field for something else.
      const digests = Array.isArray(kept) ? kept : undefined;
      return { first: info?.firstRunId || latest, latest, digests };
    });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
