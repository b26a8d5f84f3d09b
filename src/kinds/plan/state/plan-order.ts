import { isJsonObject } from '../../../lib/json/json';
import { LONGEST_ID_BYTES } from '../../../lib/names/protocol-text';
import { childId } from '../../../lib/names/child-id';
import { utf8Bytes } from '../../../lib/json/json-bytes';
import type { Task } from '../contract/plan';
import type { SpecProblem } from '../../../lib/contract/spec-problem';

type Placed = Pick<Task, 'id' | 'dependsOn'>;

function findCycles(tasks: readonly Placed[]): Set<string> {
  const open = new Map(tasks.map(({ id, dependsOn = [] }) => [id, new Set(dependsOn)]));
  let before: number;
  do {
    before = open.size;
    for (const [id, needs] of open) {
      const isWaitedFor = [...open.values()].some((others) => others.has(id));
      // A task that waits for a cycle that does not wait for it is in none.
      if (!isWaitedFor || [...needs].every((need) => !open.has(need))) open.delete(id);
    }
  } while (open.size < before);
  return new Set(open.keys());
}

/** Finds problems of ids and dependencies, by paths below `tasks`. Tasks of earlier plans may be relied on. */
export function orderProblems(tasks: readonly Placed[], finished: readonly string[] = []): SpecProblem[] {
  const ids = tasks.map(({ id }) => id);
  const known = new Set([...ids, ...finished]);
  const twice = tasks.flatMap(({ id }, index) =>
    ids.indexOf(id) < index ? [{ path: `/${index}/id`, message: `"${id}" is the id of an earlier task` }] : [],
  );
  const unknown = tasks.flatMap(({ dependsOn = [] }, index) =>
    dependsOn.flatMap((need, at) =>
      known.has(need) ? [] : [{ path: `/${index}/dependsOn/${at}`, message: `there is no task "${need}"` }],
    ),
  );
  if (twice.length > 0 || unknown.length > 0) return [...twice, ...unknown];
  const circle = findCycles(tasks.filter(({ id }) => !finished.includes(id)));
  const first = tasks.findIndex(({ id }) => circle.has(id));
  if (first < 0) return [];
  return [{ path: `/${first}/dependsOn`, message: `waits for itself: ${[...circle].join(', ')} depend on each other` }];
}

const ATTEMPT_BYTES = 6;

/** Finds loops of tasks whose run ids would be too long. An invalid plan is reported elsewhere. */
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
