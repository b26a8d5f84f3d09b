import { basename, dirname, join } from 'node:path';

/** A tool that was called, and answered that it failed: for the model that called it to know. Trying again does not help. */
export class ToolFailed extends Error {
  override name = 'ToolFailed';
}

/** A registered action that was given wrong parameters or returned what it must not. Trying again does not help. */
export class ActionFailed extends Error {
  override name = 'ActionFailed';

  constructor(
    readonly action: string,
    readonly phase: 'input' | 'output',
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`action "${action}": ${problem}`, options);
  }
}

/** A frame of a stack: `at name (file:line:column)`, or without a name. */
const FRAME = /^\s*at (?:.* \()?(?:file:\/\/)?(\/[^():]*|[A-Za-z]:\\[^():]*):(\d+):\d+\)?$/;

/** Finds where in its owner's code an error was thrown: file with folder, and line; undefined if unknown. */
export function thrownPlace({ stack = '' }: Error): string | undefined {
  for (const line of stack.split('\n')) {
    const [, file, at] = FRAME.exec(line) ?? [];
    // The rest of the path would disclose the disk and the home folder.
    if (file !== undefined && !file.includes('node_modules')) {
      return `${join(basename(dirname(file)), basename(file))}:${at}`;
    }
  }
  return undefined;
}
