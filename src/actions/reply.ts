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

/** A model that may call tools gets the form in words: only its last reply is to have it. After the last tool the schema is sent. */
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

/** A reply is not read where a number in it would have changed. */
export function staysText({ source }: LargeInteger): string {
  return `the reply stays a text: ${largeIntegerText(source)}`;
}

export const LENIENT =
  'the reply is no JSON, because of its commas, comments, quotes or words, and was read as what it means';

/** JSON is its value if the step names a form. A loop reads outputs by its evaluators: there it stays a text, without the wrapper. */
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
