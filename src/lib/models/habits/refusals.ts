import { APIError } from 'openai';
import { refusesAttachments } from '../attachments/refused-attachments';
import { failureTypeOf } from '../circuits/failure-type';
import type { ChatRequest, ModelConfig, SuggestedSetting, ToolCall } from '../types';
import { type CallForm, isStreamed, type Lesson, schemaKeyOf } from './call-form';
import { isDefaultLimit, outputLimit } from '../tokens/output-limit';
import { chooseSampling } from './sampling';
import { extrasOwner } from '../tool-calls/provider-extras';

interface Put {
  config: ModelConfig;
  request: ChatRequest;
  form: CallForm;
}

/** A part of a request that can be left out, and the ways in which endpoints report that they do not take it. */
interface Refusable {
  lesson(put: Put): Lesson;
  isPart(put: Put): boolean;
  named: RegExp;
}

const LEAVE_OUT =
  ' (`structuredOutput: false` of the model asks for the form of the reply in words, without response_format)';

const SEARCHED_CHARACTERS = 2_000;

/** The last is llama.cpp's, which cannot read the reply of a model that it holds to a grammar: status 500 each time. */
const OF_THIS_SCHEMA =
  /invalid[ _]?(?:json[ _]?)?schema|schema (?:for response_format|conversion|validation)|unsupported (?:schema )?keyword|output that does not match the expected \S+ format/i;

const ofSchema: Refusable = {
  lesson: () => 'schema',
  isPart: ({ request, form, config }) =>
    request.reply !== undefined && form.schema && config.structuredOutput === undefined,
  named: /response_?format|json_?schema|text\.format|structured[ _]outputs?|guided_|grammar|\bschemas?\b/i,
};

const suggestedPart = (setting: SuggestedSetting): Refusable => ({
  lesson: () => setting,
  isPart: ({ config, request, form }) =>
    request.suggested?.includes(setting) === true && chooseSampling(config, request, form)[setting] !== undefined,
  named: new RegExp(`\\b${setting}\\b`, 'i'),
});

/** Gemini's ("Function calling with a response mime type: 'application/json' is unsupported"), Groq's, and the like. */
const SCHEMA_WITH_TOOLS =
  /(?:function calling|tools?|tool use)\b[^.]{0,60}(?:response mime type|response_?format|json (?:mode|schema)|structured output)|(?:response_?format|json mode|structured outputs?)\b[^.]{0,60}(?:tool|function call)/i;

/** Ways in which endpoints refuse what they, or others, put beside a reply; DeepSeek's demand for it is none. */
const EXTRAS_REFUSED =
  /(?:reasoning\w*|extra_content|thinking_blocks|provider_specific_fields)\W{1,3}is (?:unsupported|not supported)|remove the `?reasoning|extra inputs are not permitted|additional propert\w+ (?:are|is)? ?not allowed|(?:unknown|unrecognized|unexpected|unsupported) (?:field|parameter|property|argument|key|name)|unrecognized request argument/i;

function callsOf({ turns = [] }: ChatRequest): ToolCall[] {
  return turns.flatMap((turn) => ('toolCalls' in turn ? (turn.toolCalls ?? []) : []));
}

const REFUSABLE: readonly Refusable[] = [
  {
    lesson: () => 'default limit',
    isPart: ({ config, request, form }) => form.defaultLimit && isDefaultLimit(config, request),
    named:
      /max_(?:completion_|output_|new_)?tokens.{0,80}(?:too (?:large|high|big)|at most|less than|exceed|must be|maximum)|in the (?:completion|output)|maximum output/is,
  },
  {
    lesson: () => 'max_completion_tokens',
    isPart: ({ config, request, form }) =>
      config.limitField === undefined &&
      form.limitField === 'max_completion_tokens' &&
      outputLimit(config, request, form) !== undefined,
    named: /max_completion_tokens/i,
  },
  suggestedPart('temperature'),
  suggestedPart('seed'),
  {
    lesson: () => 'stream_options',
    isPart: ({ config, request, form }) => isStreamed(config, request, form) && form.streamUsage,
    named: /stream_options|include_usage/i,
  },
  {
    lesson: () => 'stream',
    isPart: ({ config, request, form }) => config.stream === undefined && isStreamed(config, request, form),
    named: /\bstream(?:ing|ed|s)?\b/i,
  },
  {
    lesson: () => 'system',
    isPart: ({ config, request, form }) =>
      config.systemRole === undefined && form.systemRole && request.messages.some(({ role }) => role === 'system'),
    named:
      /system[ _]?(?:role|message|prompt|instruction)|role[^a-z]{0,10}['"`]?system|['"`]system['"`]|roles must alternate|developer instruction/i,
  },
  {
    lesson: () => 'schema with tools',
    isPart: (put) => put.request.tools !== undefined && put.form.schemaWithTools && ofSchema.isPart(put),
    named: SCHEMA_WITH_TOOLS,
  },
  {
    lesson: () => 'tool_choice',
    isPart: ({ request, form }) => request.toolChoice !== undefined && form.toolChoice,
    named: /tool_?choice/i,
  },
  {
    lesson: () => 'reasoning_content',
    isPart: ({ request, form }) =>
      !form.reasoning && [...request.messages, ...(request.turns ?? [])].some(({ role }) => role === 'assistant'),
    named: /missing `?reasoning_content|reasoning_content`?.{0,40}(?:is missing|must be passed back)/i,
  },
  {
    lesson: () => 'thought_signature',
    isPart: ({ request, form }) => !form.signatures && callsOf(request).length > 0,
    named: /missing a `?thought_?signature/i,
  },
  {
    lesson: () => 'null content',
    isPart: ({ request, form }) => form.nullContent && request.turns?.some(({ content }) => content === '') === true,
    named: /content type: <nil>|content\b.{0,60}(?:null|none)\b|(?:null|none)\b.{0,60}\bcontent\b/i,
  },
  {
    lesson: () => 'extras',
    isPart: ({ config, request, form }) =>
      form.extras && callsOf(request).some(({ extras }) => extras?.by === extrasOwner(config)),
    named: EXTRAS_REFUSED,
  },
  {
    ...ofSchema,
    lesson: ({ request }) => `schema ${schemaKeyOf(request)}`,
    named: OF_THIS_SCHEMA,
  },
  ofSchema,
];

/** Statuses of requests that were not carried out; 500 is also that of outages. */
const REFUSED = [400, 422, 500];

/**
 * Finds the part to leave out of a request by the words of an error; undefined when the error names none. Then its message gets
 * the setting that leaves out the part that endpoints refuse most often.
 */
export function refusedPart(error: unknown, put: Put): Lesson | undefined {
  if (!(error instanceof APIError) || !REFUSED.includes(error.status ?? 0)) return undefined;
  const type = failureTypeOf(error);
  if (type !== 'BadRequest' && type !== 'Unavailable' && type !== 'ContextLength') return undefined;
  const text = `${error.message.slice(0, SEARCHED_CHARACTERS)} ${typeof error.param === 'string' ? error.param : ''}`;
  // A prompt that is too long by itself is so without the limit, too.
  const among = type === 'ContextLength' ? REFUSABLE.slice(0, 1) : REFUSABLE;
  const found = among.find((each) => each.isPart(put) && each.named.test(text));
  if (found) return found.lesson(put);
  const refused: Error = error;
  const isOpen = type === 'BadRequest' && ofSchema.isPart(put) && !refusesAttachments(error, put.request);
  if (isOpen && !refused.message.includes(LEAVE_OUT)) refused.message += LEAVE_OUT;
  return undefined;
}
