import { z } from 'zod';
import type { Infer } from './infer';

export const problem = z.object({
  path: z.string().describe('JSON Pointer into the spec, such as `/evaluator/schema/properties/age`.'),
  message: z.string().describe('What is wrong there.'),
});

/** A problem of a spec, by its JSON Pointer such as `/evaluator/schema/properties/age`. */
export interface SpecProblem extends Infer<typeof problem> {}
