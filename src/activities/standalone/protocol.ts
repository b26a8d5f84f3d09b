import type { Preparation } from '../../loop/state/loop-settings';

/** The activities of `reflectionEvaluate` and `reflectionCorrect` that no other workflow has. */
export interface StandaloneActivities {
  /** Local. Checks the argument of `reflectionEvaluate` as `prepare` does. */
  prepareEvaluation(input: { request: unknown; known?: string[] }): Promise<Preparation>;
  /** Local. Checks the argument of `reflectionCorrect` as `prepare` does. */
  prepareCorrection(input: { request: unknown; known?: string[] }): Promise<Preparation>;
}

declare module '../protocol' {
  interface ReflectionActivities extends StandaloneActivities {}
}
