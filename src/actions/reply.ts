import { isJsonObject, type Json } from '../lib/json/json';
import { type LargeInteger, largeIntegerText } from '../lib/json/large-integers';
import { largeIntegerIn, lenientJsonIn, soleJsonIn } from '../loop/evaluation/output-reading';
import { replyFormOf, replyInWords, type ReplyForm } from '../loop/spec/reply-form';
import type { ModelCallStep } from '../loop/contract/steps';
import type { ChatReply, ReplySchema } from '../lib/models/types';
import type { StepArguments } from './types';

interface ReplyRequest {
  form?: ReplyForm;
  reply?: ReplySchema;
  /** The words in the prompt, whatever is sent with the request. */
  words?: string;
}

/**
 * Returns how the form of a reply is requested. A model that may call tools gets it in words, because only its last
 * reply is to have the form; the schema is sent with the request once the model may call no more tools.
 */
export function replyOf(step: ModelCallStep, input: StepArguments, hasTools: boolean): ReplyRequest {
  const schema = step.reply === false ? undefined : (step.reply ?? input.outputSchema);
  const form = schema && replyFormOf(schema);
  if (!form) return {};
  const words = replyInWords(schema);
  const reply = { name: 'output', schema: form.schema, strict: form.strict };
  if (!hasTools) return { form, reply: { ...reply, words } };
  return { form, words, ...(input.withoutTools && { reply }) };
}

function unwrapValue(value: Json | undefined, { wrapper }: ReplyForm): Json | undefined {
  if (wrapper === undefined || !isJsonObject(value) || !Object.hasOwn(value, wrapper)) return undefined;
  return Object.keys(value).length === 1 ? value[wrapper] : undefined;
}

/** Returns the warning that a reply was not read, because a number in it would have changed. */
export function staysText({ source }: LargeInteger): string {
  return `the reply stays a text: ${largeIntegerText(source)}`;
}

export const LENIENT =
  'the reply is no JSON, because of its commas, comments, quotes or words, and was read as what it means';

/**
 * Returns the output in a reply, with warnings. If the step itself names a form, JSON is its value. A loop reads its
 * outputs by its evaluators, so there it stays a text, without the wrapper.
 */
export function valueOf(
  { text, cutOff }: ChatReply,
  step: ModelCallStep,
  { form }: ReplyRequest,
): { output: Json; warnings: string[] } {
  if (!form || cutOff) return { output: text, warnings: [] };
  const large = largeIntegerIn(text);
  // A loop's evaluators report it themselves.
  if (large) return { output: text, warnings: step.reply ? [staysText(large)] : [] };
  const value = soleJsonIn(text);
  const [mended, more] = value === undefined ? lenientJsonIn(text) : [];
  const read = value ?? (more ? undefined : mended?.value);
  const inner = unwrapValue(read, form);
  const isRead = step.reply ? read !== undefined : inner !== undefined;
  const warnings = isRead && value === undefined ? [LENIENT] : [];
  if (step.reply) return { output: inner ?? read ?? text, warnings };
  return {
    output: inner === undefined || typeof inner === 'string' ? (inner ?? text) : JSON.stringify(inner),
    warnings,
  };
}
