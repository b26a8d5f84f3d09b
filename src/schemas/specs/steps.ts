import { z } from 'zod';
import { type Corrector, type Hook, type Step, STEP_LANGUAGES } from '../../domain/spec/spec';
import { MOST_MESSAGES, MOST_REPLY_TOKENS, MOST_TOOLS, NAME_CHARACTERS } from '../../domain/base/maxima';
import { addJsonSchemaHints } from '../json-schema-hints';
import { json, nameText, passOn } from '../values';

export const modelCallStep = z.strictObject({
  action: z.literal('llm.call'),
  model: nameText.optional(),
  system: z.string().optional(),
  prompt: z.string().optional(),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1)
    .max(MOST_MESSAGES)
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).max(MOST_REPLY_TOKENS).optional(),
  tools: z.array(nameText).max(MOST_TOOLS).optional(),
  maxToolRounds: z.int().min(1).max(100).optional(),
});

const registered = z.string().min(1).max(NAME_CHARACTERS);
// The other form has this name.
addJsonSchemaHints(registered, {
  json: { type: 'string', minLength: 1, maxLength: NAME_CHARACTERS, not: { const: 'llm.call' } },
});

export const actionStep = z.strictObject({ action: registered, with: json.optional() });

export const inlineStep = z.strictObject({ run: z.string().min(1), language: z.enum(STEP_LANGUAGES).optional() });

function hookForm() {
  const name = nameText;
  const schema = z.unknown().transform((value, context): unknown => {
    if (typeof value === 'string') return passOn(name.safeParse(value), context);
    if (typeof value === 'object' && value !== null && 'run' in value) {
      return passOn(inlineStep.safeParse(value), context);
    }
    context.addIssue({ code: 'custom', message: 'must be the name of a registered action, or an object with `run`' });
    return z.NEVER;
  });
  addJsonSchemaHints(schema, { forms: () => [name, inlineStep] });
  return schema;
}

/** What is told of a loop's steps. */
export const hook = hookForm() as unknown as z.ZodType<Hook>;

const correctorMode = { mode: z.enum(['replace', 'hint']).optional() };

/** Picks the one form that a value means, so that its mistakes are told for that form and not for all. */
function step(forms: Record<'model' | 'action' | 'inline', z.ZodRawShape>) {
  const schema = z.unknown().transform((value, context): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      context.addIssue({ code: 'custom', message: 'must be an object with `action` or `run`' });
      return z.NEVER;
    }
    const isInline = 'run' in value && !('action' in value);
    const isModelCall = (value as { action?: unknown }).action === 'llm.call';
    const shape = isInline ? forms.inline : isModelCall ? forms.model : forms.action;
    return passOn(z.strictObject(shape).safeParse(value), context);
  });
  addJsonSchemaHints(schema, { forms: () => Object.values(forms).map((shape) => z.strictObject(shape)) });
  return schema;
}

export const generator = step({
  model: modelCallStep.shape,
  action: actionStep.shape,
  inline: inlineStep.shape,
}) as unknown as z.ZodType<Step>;

export const corrector = step({
  model: { ...modelCallStep.shape, ...correctorMode },
  action: { ...actionStep.shape, ...correctorMode },
  inline: { ...inlineStep.shape, ...correctorMode },
}) as unknown as z.ZodType<Corrector>;
