import { z } from 'zod';
import { evaluator } from './evaluators';
import { nameText, share } from '../values';

/** How judges judge. That the floor is not above the threshold is checked with the whole spec. */
export const judge = z.strictObject({
  model: nameText.optional(),
  votes: z.int().min(1).max(9).optional(),
  second: evaluator.optional(),
  relaxation: z.strictObject({ step: share, floor: share }).optional(),
});
