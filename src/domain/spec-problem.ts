/** A mistake in a spec, by its JSON Pointer such as `/evaluator/schema/properties/age`. */
export interface SpecProblem {
  path: string;
  message: string;
}
