import type { SpecProblem } from '../../contract/spec-problem';

/** Puts a mistake of a part where the part stands in the whole. */
export function below(path: string) {
  return <Problem extends SpecProblem>(problem: Problem): Problem => ({ ...problem, path: `${path}${problem.path}` });
}

/** A mistake with the failure type that it has when it is the only kind of mistake. */
export interface TypedProblem extends SpecProblem {
  /** Of a command, an agent or a workflow that is not known, too: their failure is `InvalidSpec`. */
  type?: 'UnknownAction' | 'UnknownModel' | 'UnknownCommand' | 'UnknownAgent' | 'UnknownWorkflow';
}
