import { isJsonObject } from '../base/json';
import { childId, LONGEST_ID_BYTES } from '../pipeline/pipeline';
import { utf8Bytes } from '../base/json-bytes';
import type { SpecProblem } from '../base/spec-problem';

/** Room for what tells the attempts of a task apart. */
const ATTEMPT_BYTES = 6;

/** Tasks whose loops would be runs with too long an id. What is no plan is somebody else's mistake. */
export function longIdProblems(plan: unknown, planRunId: string): SpecProblem[] {
  const tasks: unknown = isJsonObject(plan) ? plan['tasks'] : [];
  return (Array.isArray(tasks) ? (tasks as unknown[]) : []).flatMap((task, index) => {
    if (!isJsonObject(task) || !isJsonObject(task['step']) || !('loop' in task['step'])) return [];
    const { id } = task;
    if (typeof id !== 'string') return [];
    const bytes = utf8Bytes(childId(planRunId, id)) + ATTEMPT_BYTES;
    if (bytes <= LONGEST_ID_BYTES) return [];
    const most = LONGEST_ID_BYTES - ATTEMPT_BYTES - utf8Bytes(childId(planRunId, ''));
    const advice = most > 0 ? `${most} bytes fit after that of this plan` : 'start the plan with a shorter id';
    return [{ path: `/tasks/${index}/id`, message: `the id of its loop's run would be too long: ${advice}` }];
  });
}
