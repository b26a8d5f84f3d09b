import { z } from 'zod';
import type { Corrector, Step } from '../domain/spec';
import { json, passOn } from './values';

const modelCallStep = z.strictObject({
  action: z.literal('llm.call'),
  model: z.string().min(1).optional(),
  system: z.string().optional(),
  prompt: z.string().optional(),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1)
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).optional(),
});

const actionStep = z.strictObject({ action: z.string().min(1), with: json.optional() });

const correctorMode = { mode: z.enum(['replace', 'hint']).optional() };

/** Picks the one form that a value means, so that its mistakes are told for that form and not for all. */
function step(forms: Record<string, z.ZodRawShape>) {
  return z.unknown().transform((value, context): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      context.addIssue({ code: 'custom', message: 'must be an object with `action`' });
      return z.NEVER;
    }
    if ('run' in value && !('action' in value)) {
      context.addIssue({ code: 'custom', message: 'inline code (`run`) is not supported yet' });
      return z.NEVER;
    }
    const shape = (value as { action?: unknown }).action === 'llm.call' ? forms['model'] : forms['action'];
    return passOn(z.strictObject(shape!).safeParse(value), context);
  });
}

export const generator = step({ model: modelCallStep.shape, action: actionStep.shape }) as unknown as z.ZodType<Step>;

export const corrector = step({
  model: { ...modelCallStep.shape, ...correctorMode },
  action: { ...actionStep.shape, ...correctorMode },
}) as unknown as z.ZodType<Corrector>;
