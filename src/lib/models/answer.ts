import { omitUndefined } from '../base/defined';
import { MOST_TOKENS } from '../base/maxima';
import { NO_USAGE } from '../base/tokens';
import type { TokenUsage } from '../contract/values';
import { type ReplyContent, type SplitReply, withoutThought } from './habits/reply-content';
import { type TokenCounts, countTokens } from './tokens/token-counts';
import { writtenToolCalls } from './tool-calls/written-calls';
import { priceOf } from './prices';
import { ModelReplyError } from './reply-error';
import { extrasOwner } from './tool-calls/provider-extras';
import { argumentsText, type GivenCall, readCalls } from './tool-calls/read-calls';
import type { JsonObject } from '../json/json';
import type { ChatReply, ChatRequest, ModelConfig, ModelPrices } from './types';
import { renderCount } from '../text/counted';

/**
 * The way in which a reply ended, by its provider's word. `broken`: something failed on the way, and the part that
 * arrived is not a reply.
 */
export type Ending = 'whole' | 'length' | 'filtered' | 'broken' | 'unknown';

/**
 * The words of providers, in lower case and with underscores: OpenAI, Anthropic, Gemini, Mistral, Cohere, Bedrock, DeepSeek,
 * watsonx, Zhipu, vLLM, SGLang, TGI, Ollama.
 */
const WORDS: readonly [Exclude<Ending, 'unknown'>, RegExp][] = [
  [
    'whole',
    /^(?:stop|stop_sequence|stop_token|stopped|eos|eos_token|end|end_turn|end_of_text|complete|completed|finish|finished|done|success|tool_calls?|tool_use|tool|function_calls?)?$/,
  ],
  [
    'broken',
    /error(?!_toxic)|abort|cancel|interrupt|^fail|^timeout$|insufficient_system_resource|^malformed|^unexpected/,
  ],
  [
    'filtered',
    /filter|safety|recitation|prohibited|blocklist|blocked|spii|guardrail|toxic|refus|sensitive|moderation|policy|^language$/,
  ],
  ['length', /length|max_|limit|incomplete|not_finished|truncat|window/],
];

const UNSAID = /^(?:finish_reason_)?(?:unspecified|unknown|null|none)$/;

export function readEnding(reason: unknown): Ending {
  if (reason == null) return 'whole';
  if (typeof reason !== 'string') return 'unknown';
  const word = reason
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/^finish_reason_/, '');
  if (UNSAID.test(word)) return 'whole';
  return WORDS.find(([, named]) => named.test(word))?.[0] ?? 'unknown';
}

/** The content of an answer, independent of how it arrived. */
export interface Answer extends ReplyContent {
  toolCalls?: GivenCall[];
  /** The fields beside the text and the calls that only its provider understands. */
  beside?: JsonObject | undefined;
  /** The provider's own word for the reason why the reply ended; undefined if it gives none. */
  ended?: unknown;
  /** Tokens that the reply could have; undefined where it had no limit. */
  limit?: number | undefined;
  /** The provider's counts, in its own words. */
  usage: unknown;
}

/** A reply may have so few tokens on purpose: a label that just fits. */
const SHORTEST_LIMIT = 8;

/** Returns whether a reply reached its limit, which some providers call whole. */
function isAtLimit({ limit = 0, toolCalls = [] }: Answer, { completion, estimated }: TokenCounts): boolean {
  return limit >= SHORTEST_LIMIT && !estimated && completion === limit && toolCalls.length === 0;
}

/** Keeps a count within bounds: sums of impossible counts must stay numbers. */
function limitCount(count: number): number {
  return Math.min(Math.max(0, Math.round(count)), MOST_TOKENS);
}

/** Usage of a call; estimated tokens have an estimated price. A total below its parts is not believed. */
export function usageOf(tokens: TokenCounts, prices: ModelPrices | undefined): TokenUsage {
  const { cached: cachedTokens, reasoning, estimated } = tokens;
  const [promptTokens, completionTokens] = [limitCount(tokens.prompt), limitCount(tokens.completion)];
  return omitUndefined({
    ...NO_USAGE,
    promptTokens,
    completionTokens,
    totalTokens: Math.max(limitCount(tokens.total ?? 0), promptTokens + completionTokens),
    modelCalls: 1,
    usd: prices ? priceOf({ promptTokens, completionTokens, cachedTokens }, prices) : null,
    cachedTokens,
    reasoningTokens: reasoning,
    estimated,
  });
}

const UNASKED = 'the model called tools although it was offered none';

const SHOWN_OF_WORD = 100;

const ESTIMATED = 'the endpoint does not count tokens, so they are estimated';

/** Returns the text of a reply without its model's thoughts. Judges' replies are read by rules of their own. */
function separateThought(
  answer: Answer,
  { code, tools = [] }: ChatRequest,
): Pick<Answer, 'text' | 'thought' | 'toolCalls'> & Pick<SplitReply, 'warning'> {
  const { text, thought, warning } = withoutThought(answer.text);
  const said = code === undefined || text === '' ? text : answer.text;
  const { toolCalls = [] } = answer;
  const written = toolCalls.length === 0 && tools.length > 0 ? writtenToolCalls(said, tools) : undefined;
  const told = said === text && warning !== undefined ? { warning } : {};
  return { thought: thought + answer.thought, text: said, toolCalls, ...told, ...written };
}

function emptiness(thought: string, isUnasked: boolean): string {
  if (isUnasked) return `The reply has no text: ${UNASKED}.`;
  if (thought.trim() === '') return 'The model sent an empty reply.';
  return `The reply has no text: there is only reasoning, ${renderCount(thought.length, 'character')} of it.`;
}

/** Reads the reply in an answer, without calls of tools that were not offered. Throws ModelReplyError. */
export async function replyOf(answer: Answer, config: ModelConfig, request: ChatRequest): Promise<ChatReply> {
  const called = (answer.toolCalls ?? []).map((call) => argumentsText(call.arguments)).join('');
  const written = answer.thought + answer.text + answer.refusal + called;
  const tokens = await countTokens(answer.usage, request, written);
  const usage = usageOf(tokens, config.prices);
  if (answer.refusal !== '') throw new ModelReplyError('Refused', `The model refused: ${answer.refusal}`, usage);
  const ending = readEnding(answer.ended);
  const word = JSON.stringify(answer.ended)?.slice(0, SHOWN_OF_WORD);
  if (ending === 'filtered') {
    throw new ModelReplyError('Filtered', `The provider's content filter stopped the reply: ${word}.`, usage);
  }
  if (ending === 'broken') {
    throw new ModelReplyError('Interrupted', `The provider says that the reply broke off: ${word}.`, usage);
  }
  const cutOff = ending === 'length' || (ending === 'whole' && isAtLimit(answer, tokens));
  const { text, thought, toolCalls: wanted = [], warning } = separateThought(answer, request);
  const offered = (request.tools ?? []).length > 0;
  const toolCalls = offered ? readCalls(wanted, request, extrasOwner(config), answer.beside) : [];
  const isUnasked = !offered && wanted.length > 0;
  if (text.trim() === '' && !cutOff && toolCalls.length === 0) {
    throw new ModelReplyError('Empty', emptiness(thought, isUnasked), usage);
  }
  const unknown = `the provider says that the reply ended with ${word}, which is not known: it may not be whole`;
  const warnings = [
    ...(warning === undefined ? [] : [warning]),
    ...(isUnasked ? [UNASKED] : []),
    ...(tokens.estimated ? [ESTIMATED] : []),
    ...(ending === 'unknown' ? [unknown] : []),
  ];
  return omitUndefined({
    text,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    cutOff,
    usage,
    warnings: warnings.length > 0 ? warnings : undefined,
  });
}

/** Throws `NotFound` for text: the vendor's client returns an answer as text if its type is not JSON. */
export function assertNoPage(reply: unknown): void {
  if (typeof reply !== 'string') return;
  throw new ModelReplyError('NotFound', 'The address answered with a page, not with a model: is the base URL right?');
}
