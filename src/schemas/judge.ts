import { z } from 'zod';
import { evaluator } from './evaluators';
import { share } from './values';

/** How judges judge. That the floor is not above the threshold is checked with the whole spec. */
export const judge = z.strictObject({
  model: z.string().min(1).optional(),
  votes: z.int().min(1).max(9).optional(),
  second: evaluator.optional(),
  relaxation: z.strictObject({ step: share, floor: share }).optional(),
});
