import { Chance } from '../../policy/random';
import { type Task, TASK_KINDS } from '../task';

/**
 * The tasks that are meant by a number (so many, of each kind in turn, drawn by the seed) or by a list of kinds and ids.
 *
 * @throws RangeError for what is none of these
 */
export function chosenTasks(all: readonly Task[], wanted: string | undefined, seed: number): Task[] {
  if (wanted === undefined) return [...all];
  if (!/^\d+$/.test(wanted)) return named(all, wanted.split(','));
  const chance = new Chance(seed);
  const left = TASK_KINDS.map((kind) => all.filter((task) => task.kind === kind));
  const chosen = new Set<Task>();
  while (chosen.size < Number(wanted) && left.some((tasks) => tasks.length > 0)) {
    for (const tasks of left) {
      if (tasks.length === 0 || chosen.size === Number(wanted)) continue;
      chosen.add(tasks.splice(Math.floor(chance.next() * tasks.length), 1)[0]!);
    }
  }
  return all.filter((task) => chosen.has(task));
}

function named(all: readonly Task[], names: readonly string[]): Task[] {
  const unknown = names.filter((name) => !all.some(({ id, kind }) => name === id || name === kind));
  if (unknown.length > 0) throw new RangeError(`There is no task or kind ${unknown.join(', ')}.`);
  return all.filter(({ id, kind }) => names.includes(id) || names.includes(kind));
}
