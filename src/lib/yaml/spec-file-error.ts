import { firstLines } from '../text/first-lines';
import type { JsonObject } from '../json/json';
import type { SpecProblem } from '../contract/spec-problem';
import { renderCount } from '../text/counted';

/** A problem in a file. `line` and `column` count from 1; `path` is written as the file writes it. */
export interface FileProblem extends SpecProblem {
  line: number;
  column: number;
}

/**
 * A file that cannot be run: its YAML cannot be read (`InvalidYaml`), it is not a valid spec (`InvalidSpec`), or it names what
 * the worker has not got.
 */
export class SpecFileError extends Error {
  override readonly name = 'SpecFileError';

  constructor(
    readonly type: 'InvalidYaml' | 'InvalidSpec' | 'UnknownAction' | 'UnknownModel',
    readonly file: string,
    /** Every problem, in the order of the file. */
    readonly problems: FileProblem[],
  ) {
    const count = renderCount(problems.length, 'mistake');
    super(`${file} has ${count}:\n${firstLines(problems.map((problem) => problemLine(file, problem))).join('\n')}`);
  }
}

/** Renders a problem or a warning in one line, as compilers write it. */
export function problemLine(file: string, { line, column, path, message }: FileProblem): string {
  return `${file}:${line}:${column}  ${path === '' ? '' : `${path}: `}${message}`;
}

export interface RunFile<Kind extends string, Spec> {
  kind: Kind;
  /** The name it goes by in messages. */
  file: string;
  spec: Spec;
  /** Finds in the file what a problem is about, such as one that only a worker could find. */
  locate(problem: SpecProblem): FileProblem[];
  /**
   * Lists the parts that are taken in another way than their author may expect, in the order of the file.
   * @param isWhole nothing else adds keys to the state of the run
   */
  warnings(state?: JsonObject, isWhole?: boolean): FileProblem[];
}
