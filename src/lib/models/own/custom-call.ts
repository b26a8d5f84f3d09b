import { z } from 'zod';
import { omitUndefined } from '../../base/defined';
import { MOST_ANSWER_BYTES, refusalOf } from '../../fetch/errors';
import { orAborted } from '../../timeout';
import { type Answer, replyOf, usageOf } from '../answer';
import { failureTypeOf, isError } from '../circuits/failure-type';
import { outputLimit } from '../tokens/output-limit';
import { listIn } from '../habits/read-json';
import { ReadBytes } from '../habits/reply-size';
import { chooseSampling } from '../habits/sampling';
import { countTokens } from '../tokens/token-counts';
import type { EmbeddingReply, EmbeddingRequest } from '../embedding-call';
import { sentFormat, addReplyFormat } from '../reply-format';
import { ModelReplyError } from '../reply-error';
import type { JsonObject } from '../../json/json';
import { extrasOwner, jsonText } from '../tool-calls/provider-extras';
import type { GivenCall } from '../tool-calls/read-calls';
import type { ChatReply, ChatRequest, ChatTurn, ModelConfig, SuggestedSetting } from '../types';
import type {
  CustomModel,
  ModelEmbeddingReply,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelUsage,
} from './custom-model';
import { mistakesOf } from './mistakes';
import { thrownByOwner } from './thrown';
import { assertSmallReply, assertSmallVectors } from './value-size';

const tokens = z.number().min(0);

const REPLY = z.object({
  text: z.string(),
  toolCalls: z
    .array(
      z.object({
        id: z.string().optional(),
        name: z.string().min(1),
        arguments: z.unknown().optional(),
        extras: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
  finishReason: z.string().optional(),
  usage: z
    .object({
      promptTokens: tokens,
      completionTokens: tokens,
      totalTokens: tokens.optional(),
      cachedTokens: tokens.optional(),
      reasoningTokens: tokens.optional(),
    })
    .optional(),
  warnings: z.array(z.string()).optional(),
});

const EMBEDDINGS = z.object({
  vectors: z.array(z.array(z.number()).min(1)),
  usage: z.object({ promptTokens: tokens }).optional(),
});

const MOST_WARNINGS = 10;
const WARNING_CHARACTERS = 500;
const SEARCHED_CHARACTERS = 2_000;

function assertShape(shape: z.ZodType, value: unknown, what: string): void {
  const mistakes = mistakesOf(shape, value);
  if (mistakes.length > 0) throw new ModelReplyError('InvalidReply', `${what} is wrong: ${mistakes.join('; ')}`);
}

/** Messages, then turns. Results name their tool: not every provider knows calls by their id. */
function messagesOf({ messages, turns = [] }: ChatRequest, owner: string): ModelMessage[] {
  const names = new Map<string, string>();
  const spoken = turns.map((turn: ChatTurn): ModelMessage => {
    if (turn.role === 'user') return { role: 'user', content: turn.content };
    if (turn.role === 'tool') return { ...turn, toolName: names.get(turn.toolCallId) ?? '' };
    const { content, toolCalls } = turn;
    if (!toolCalls) return { role: 'assistant', content };
    for (const { id, name } of toolCalls) names.set(id, name);
    return {
      role: 'assistant',
      content,
      toolCalls: toolCalls.map(({ extras, ...call }) =>
        omitUndefined({ ...call, extras: extras?.by === owner ? extras.call : undefined }),
      ),
    };
  });
  return [...messages.map((message) => ({ ...message })), ...spoken];
}

function requestOf(config: ModelConfig, request: ChatRequest): ModelRequest {
  const { tools, toolChoice, onText, timeoutMs, signal } = request;
  const format = sentFormat(request, config.structuredOutput !== false);
  return omitUndefined({
    messages: messagesOf({ ...request, messages: addReplyFormat(request, format) }, extrasOwner(config)),
    tools,
    toolChoice: tools && toolChoice,
    ...chooseSampling(config, request),
    // Without a configured limit, the owner's code knows best.
    maxTokens: outputLimit(config, request, { defaultLimit: config.maxOutputTokens !== undefined }),
    responseSchema: format,
    onText,
    timeoutMs,
    signal,
  });
}

function givenCall({ id, name, arguments: given, extras }: NonNullable<ModelReply['toolCalls']>[number]): GivenCall {
  const written = typeof given === 'string' ? given : jsonText(given ?? {});
  new ReadBytes(MOST_ANSWER_BYTES).add(written);
  return { id, name, arguments: written, extras: extras && (JSON.parse(jsonText(extras)) as JsonObject) };
}

function sentUsage(usage: ModelUsage): unknown {
  const { promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens } = usage;
  const whole = (count: number | undefined): number | undefined =>
    count === undefined ? undefined : Math.round(count);
  return {
    ...omitUndefined({
      prompt_tokens: whole(promptTokens),
      completion_tokens: whole(completionTokens),
      total_tokens: whole(totalTokens),
    }),
    prompt_tokens_details: omitUndefined({ cached_tokens: whole(cachedTokens) }),
    completion_tokens_details: omitUndefined({ reasoning_tokens: whole(reasoningTokens) }),
  };
}

function answerOf({ text, toolCalls = [], finishReason, usage }: ModelReply, limit: number | undefined): Answer {
  const isRefusal = finishReason === 'refusal';
  return {
    text: isRefusal ? '' : text,
    refusal: isRefusal ? text || 'it gave no reason' : '',
    thought: '',
    toolCalls: toolCalls.map(givenCall),
    ended: finishReason,
    usage: usage && sentUsage(usage),
    limit,
  };
}

async function runOwnersWork<T>(config: ModelConfig, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await orAborted(
      Promise.resolve().then(() => work()),
      signal,
    );
  } catch (error) {
    throw signal.aborted || refusalOf(error) ? error : thrownByOwner(error, config.prices);
  }
}

const REFUSED = new WeakMap<CustomModel, ReadonlySet<SuggestedSetting>>();

function withoutSettings(request: ChatRequest, settings: ReadonlySet<SuggestedSetting>): ChatRequest {
  const suggested = request.suggested?.filter((setting) => !settings.has(setting));
  return { ...request, ...Object.fromEntries([...settings].map((setting) => [setting, undefined])), suggested };
}

function refusedSettings({ suggested = [] }: ChatRequest, error: unknown): SuggestedSetting[] {
  if (suggested.length === 0 || !isError(error) || failureTypeOf(error) !== 'BadRequest') return [];
  const words = error.message.slice(0, SEARCHED_CHARACTERS);
  return suggested.filter((setting) => new RegExp(`\\b${setting}\\b`, 'i').test(words));
}

/**
 * Makes one call of the owner's code. Never retries; a request that is refused for a setting that was only suggested is made
 * without it, and so are later ones. Throws ModelReplyError `InvalidReply` for a reply of another shape, AnswerTooLarge, and what
 * `thrownByOwner` makes of what was thrown.
 */
export async function callCustom(custom: CustomModel, config: ModelConfig, request: ChatRequest): Promise<ChatReply> {
  const known = REFUSED.get(custom) ?? new Set();
  const given = withoutSettings(request, new Set(request.suggested?.filter((setting) => known.has(setting))));
  try {
    return await callOnce(custom, config, given);
  } catch (error) {
    const refused = refusedSettings(given, error);
    if (refused.length === 0) throw error;
    const reply = await callOnce(custom, config, withoutSettings(given, new Set(refused)));
    REFUSED.set(custom, new Set([...known, ...refused]));
    return reply;
  }
}

async function callOnce(custom: CustomModel, config: ModelConfig, request: ChatRequest): Promise<ChatReply> {
  const asked = requestOf(config, request);
  const reply = await runOwnersWork(config, request.signal, async () => custom.call!(asked));
  assertSmallReply(reply);
  assertShape(REPLY, reply, `The reply of the model "${custom.name}"`);
  const checked = await replyOf(answerOf(reply, asked.maxTokens), config, request);
  // No reader of the warnings chose a setting that is only suggested.
  const isOfSuggested = (text: string): boolean =>
    request.suggested?.some((setting) => text.includes(`: ${setting}`)) === true;
  const given = (reply.warnings ?? [])
    .filter((text) => !isOfSuggested(text))
    .slice(0, MOST_WARNINGS)
    .map((text) => text.slice(0, WARNING_CHARACTERS));
  return given.length === 0 ? checked : { ...checked, warnings: [...given, ...(checked.warnings ?? [])] };
}

/** Asks the owner's code for vectors of texts. Never retries. Throws ModelReplyError. */
export async function embedCustom(
  custom: CustomModel,
  config: ModelConfig,
  { texts, timeoutMs, signal }: Omit<EmbeddingRequest, 'model'>,
): Promise<EmbeddingReply> {
  const work = async (): Promise<ModelEmbeddingReply> => custom.embed!({ texts: [...texts], timeoutMs, signal });
  const reply = await runOwnersWork(config, signal, work);
  assertSmallVectors(listIn(reply, 'vectors'));
  assertShape(EMBEDDINGS, reply, `What the model "${custom.name}" gave as embeddings`);
  const { vectors, usage: counted } = reply;
  const asked = { messages: texts.map((content) => ({ role: 'user' as const, content })), signal, timeoutMs };
  const { prompt, estimated } = await countTokens(counted && { prompt_tokens: counted.promptTokens }, asked, '');
  const usage = usageOf(omitUndefined({ prompt, completion: 0, estimated }), config.prices);
  if (vectors.length === texts.length) return { vectors, usage };
  const counts = `${vectors.length} vectors for ${texts.length} texts`;
  throw new ModelReplyError(
    vectors.length < texts.length ? 'Empty' : 'InvalidReply',
    `The model gave ${counts}.`,
    usage,
  );
}
