import type { Models } from '../models/types';
import type { EvaluatorProblem } from './types';

/** What is wrong with the model that an evaluator names. */
export function modelProblems(model: string | undefined, models: Models): EvaluatorProblem[] {
  const message = model === undefined ? undefined : models.problem(model);
  return message === undefined ? [] : [{ path: '/model', message, type: 'UnknownModel' }];
}
