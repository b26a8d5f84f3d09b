import { workflowInfo } from '@temporalio/workflow';
import { isJsonObject } from '../../lib/json/json';

/** Activities that may run an action of the worker's owner. */
const RUN_ACTIONS: ReadonlySet<string> = new Set(['generate', 'revise', 'tool', 'hook', 'evaluate']);

/** `originalExecutionRunId` since SDK 1.23. */
interface RunIds {
  runId: string;
  originalExecutionRunId?: string;
}

/** In the run's own global object: modules are shared by all runs of a worker, see docs/decisions/shared-workflow-code.md. */
const KEY = '__durableReflectionCalls';

/**
 * Adds an idempotency key to the input of an activity. The key is made of the run (which a reset does not change, since SDK
 * 1.23), the kind of the call, its iteration, and how many calls of that kind and iteration the run has made. Attempts of
 * the call share it.
 */
export function addIdempotencyKey(name: string, input: unknown): unknown {
  // The same call, made another way, keeps its key.
  if (!RUN_ACTIONS.has(name) || !isJsonObject(input) || 'idempotencyKey' in input) return input;
  const { iteration = 0 } = input as { iteration?: number };
  const own = globalThis as { [KEY]?: Map<string, number> };
  const counts = (own[KEY] ??= new Map());
  const kind = `${name}/${iteration}`;
  const number = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, number);
  return { ...input, idempotencyKey: `${originalRunId(workflowInfo())}/${kind}/${number}` };
}

const MAKE_PROMPTS: ReadonlySet<string> = new Set(['generate', 'revise', 'evaluate', 'repair']);

/**
 * Adds the first run of the chain to the input of an activity. The codes of fences are made from it: a run that took over
 * begins its prompts as the run before it did. A first run need not add itself.
 */
export function addChain(name: string, input: unknown): unknown {
  const { runId, firstExecutionRunId } = workflowInfo();
  if (runId === firstExecutionRunId || !MAKE_PROMPTS.has(name) || !isJsonObject(input)) return input;
  return { ...input, chain: firstExecutionRunId };
}

/**
 * Returns the id of the run before resets. SDK 1.22 does not report which run was reset: with it, a reset changes the keys
 * of the calls after it.
 */
function originalRunId({ runId, originalExecutionRunId = runId }: RunIds): string {
  return originalExecutionRunId;
}
