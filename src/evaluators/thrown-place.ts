import { basename, dirname, join } from 'node:path';

/** A frame of a stack: `at name (file:line:column)`, or without a name. */
const FRAME = /^\s*at (?:.* \()?(?:file:\/\/)?(\/[^():]*|[A-Za-z]:\\[^():]*):(\d+):\d+\)?$/;

/** Where an error was thrown in code of the worker's owner: the file with its folder, and the line; undefined where nobody knows. */
export function thrownPlace({ stack = '' }: Error): string | undefined {
  for (const line of stack.split('\n')) {
    const [, file, at] = FRAME.exec(line) ?? [];
    // Which disk and whose home it stands in is nobody's business.
    if (file !== undefined && !file.includes('node_modules')) {
      return `${join(basename(dirname(file)), basename(file))}:${at}`;
    }
  }
  return undefined;
}
