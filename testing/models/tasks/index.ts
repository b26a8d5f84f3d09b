import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Task, TASK_KINDS } from '../task';
import { tasksOf } from './task-file';

const EXTENSION = '.yaml';

/**
 * Every task, by kind and in the order of the files' names.
 *
 * @throws Error that names the file and what is wrong in it
 */
export function allTasks(): Task[] {
  const tasks = readdirSync(__dirname)
    .filter((file) => file.endsWith(EXTENSION))
    .sort()
    .flatMap((file) => {
      try {
        return tasksOf(parse(readFileSync(join(__dirname, file), 'utf8')));
      } catch (error) {
        throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
      }
    });
  return tasks.sort((one, other) => TASK_KINDS.indexOf(one.kind) - TASK_KINDS.indexOf(other.kind));
}
