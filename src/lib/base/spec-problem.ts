import type { SpecProblem } from '../contract/spec-problem';

export function below(path: string) {
  return <Problem extends SpecProblem>(problem: Problem): Problem => ({ ...problem, path: `${path}${problem.path}` });
}

/** A mistake with the failure type that it has when it is the only kind of mistake. */
export interface TypedProblem extends SpecProblem {
  /** An unknown command, agent or workflow has a type, too: its failure is `InvalidSpec`. */
  type?: 'UnknownAction' | 'UnknownModel' | 'UnknownCommand' | 'UnknownAgent' | 'UnknownWorkflow';
}
