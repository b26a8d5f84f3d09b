/** A mistake in a spec, by its JSON Pointer such as `/evaluator/schema/properties/age`. */
export interface SpecProblem {
  path: string;
  message: string;
}

/** Puts a mistake of a part where the part stands in the whole. */
export function below(path: string) {
  return <Problem extends SpecProblem>(problem: Problem): Problem => ({ ...problem, path: `${path}${problem.path}` });
}

/** A mistake with the failure type that it has when it is the only kind of mistake. */
export interface TypedProblem extends SpecProblem {
  /** Of a command or an agent that is not known, too: their failure is `InvalidSpec`. */
  type?: 'UnknownAction' | 'UnknownModel' | 'UnknownCommand' | 'UnknownAgent';
}
