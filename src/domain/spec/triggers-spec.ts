/**
 * When the work of a step that is not done yet is evaluated, beside every finished version. What is found is told to the step
 * in its next call; such evaluations do not count towards `maxIterations`. A setting switches its trigger on.
 */
export interface TriggersSpec {
  /** After every so many turns of a model that calls tools. */
  reflectionInterval?: number;
  /** When a tool fails; and a step that fails is told so and tried once more. Default false. */
  reflectOnError?: boolean;
  /** After results of these tools. */
  reflectOnTools?: string[];
  /** 0..1: a version whose score fell by more than this is judged once more, where a model judges. */
  qualityDropThreshold?: number;
}
