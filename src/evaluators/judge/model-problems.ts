import type { Models } from '../../models/types';
import type { TypedProblem } from '../../domain/base/spec-problem';

/** What is wrong with the model that an evaluator names. */
export function modelProblems(model: string | undefined, models: Models): TypedProblem[] {
  const message = model === undefined ? undefined : models.problem(model);
  return message === undefined ? [] : [{ path: '/model', message, type: 'UnknownModel' }];
}
