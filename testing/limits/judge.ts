import { RETRYABLE } from '../../src/lib/models/circuits/failure-type';
import { LATE, type RunFacts } from './histories';

/** Types of failures that a starter can rely on. A new one is written here on purpose, when the contract has it. */
const FAILURE_TYPES = new Set([
  'InvalidSpec',
  'UnknownAction',
  'UnknownModel',
  'ReflectionFailedError',
  'StepFailed',
  'OutputTooLarge',
  'ExternalUnavailable',
  'MemoryMissing',
  'MemoryUnavailable',
  'AttachmentInvalid',
  'AttachmentMissing',
  'AttachmentUnavailable',
  ...Object.keys(RETRYABLE).map((type) => `Model.${type}`),
]);

/** Whether a result has the form that the contract says, and is right. Undefined: it is; else what is wrong. */
export type ResultCheck = (result: unknown) => string | undefined;

/** How a run ended, in a few words. */
export function outcomeOf(family: readonly RunFacts[]): string {
  const end = lastOf(family)?.end;
  if (!end) return 'not started';
  if (end.status === 'failed') return end.type;
  if (end.status !== 'completed') return end.status;
  const { convergenceReason } = (end.result ?? {}) as { convergenceReason?: string };
  return convergenceReason ?? 'completed';
}

/** The last run of the chain that was started. */
export function lastOf(family: readonly RunFacts[]): RunFacts | undefined {
  const [first] = family;
  return family.findLast(({ workflowId }) => workflowId === first?.workflowId);
}

function violationsOfRun(facts: RunFacts, isChild: boolean, check: ResultCheck, kills: number): string[] {
  const { end, type } = facts;
  const isLate = (task: string): boolean => task === LATE;
  const lost = Math.min(kills, facts.failedTasks.filter(isLate).length);
  const failedTasks = [
    ...facts.failedTasks.filter((task) => !isLate(task)),
    ...facts.failedTasks.filter(isLate).slice(lost),
  ];
  const attempts = facts.attempts - facts.closedTasks - lost;
  const who = isChild ? `its child ${type}` : type;
  const found: string[] = [];
  if (failedTasks.length > 1 || attempts > 2) {
    const times = Math.max(failedTasks.length, attempts - 1);
    found.push(`${who}: a workflow task failed ${times} times: ${[...new Set(failedTasks)].join('; ')}`);
  }
  if (end.status === 'terminated') found.push(`${who}: terminated: ${end.message}`);
  if (end.status === 'timed out') found.push(`${who}: timed out`);
  if (end.status === 'failed' && !FAILURE_TYPES.has(end.type)) {
    found.push(
      `${who}: failed with the type ${end.type}, which the contract does not have: ${end.message}`.slice(0, 400),
    );
  }
  if (end.status === 'completed' && !facts.next && !isChild) {
    const wrong = check(end.result);
    if (wrong !== undefined) found.push(`${who}: its result is not right: ${wrong}`);
  }
  return found;
}

/**
 * Everything that must not be in the histories of a run, of its successors and of its children.
 *
 * @param kills how often the worker was killed
 */
export function violationsIn(family: readonly RunFacts[], check: ResultCheck, kills = 0): string[] {
  const [first] = family;
  const found = family.flatMap((facts) => violationsOfRun(facts, facts.workflowId !== first?.workflowId, check, kills));
  const last = lastOf(family);
  if (last?.end.status === 'running' && !last.next) found.push(`${last.type}: has not ended`);
  return found;
}
