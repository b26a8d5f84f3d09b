import type { OpenAI } from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ReasoningEffort,
} from 'openai/resources';
import { assertFewCalls, mostBytesOf, ReadBytes } from './habits/reply-size';
import { omitUndefined } from '../base/defined';
import { type Answer, assertNoPage, replyOf } from './answer';
import { chatMessage } from './attachments/wire-content';
import { type CallForm, isStreamed, takesSchema, usualForm } from './habits/call-form';
import { foldedSystem } from './habits/fold-system';
import { outputLimit } from './tokens/output-limit';
import { fieldOf, listIn, textIn, countIn } from './habits/read-json';
import { messageContent } from './habits/reply-content';
import { chooseSampling } from './habits/sampling';
import { statuslessError, readStreamedOrWhole } from './habits/streamed-or-whole';
import { sentFormat, addReplyFormat } from './reply-format';
import { ModelReplyError } from './reply-error';
import { extrasOwner, jsonText, mergePieces, providerFields } from './tool-calls/provider-extras';
import { type GivenCall, sentArguments } from './tool-calls/read-calls';
import type { JsonObject, Json } from '../json/json';
import type { ChatReply, ChatRequest, ChatTurn, ModelConfig } from './types';

interface PartialCall {
  index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  extras?: JsonObject;
}

function isWholeJson(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Puts together the calls of a streamed reply. Not every server gives each call an index and an id of its own. */
export class StreamedCalls {
  readonly #calls: PartialCall[] = [];

  constructor(private readonly read: ReadBytes) {}

  #findContinued(index: number | undefined, id: string, name: string): PartialCall | undefined {
    const call =
      index === undefined && id !== ''
        ? this.#calls.find((each) => each.id === id)
        : this.#calls.findLast((each) => index === undefined || each.index === index);
    if (!call || (id !== '' && call.id !== '' && call.id !== id)) return undefined;
    if (id !== '' || name === '' || call.name === '') return call;
    // Without ids, a name after whole arguments begins the next call.
    const isNext = isWholeJson(call.arguments) || (index === undefined && name !== call.name);
    return isNext ? undefined : call;
  }

  /** @throws AnswerTooLarge */
  add(piece: unknown): void {
    const called = fieldOf(piece, 'function');
    const given = fieldOf(called, 'arguments') ?? '';
    const [index, id, name] = [countIn(piece, 'index'), textIn(piece, 'id'), textIn(called, 'name')];
    const text = typeof given === 'string' ? given : jsonText(given);
    const extras = providerFields(piece, 'call');
    this.read.add(id, name, text, extras ? jsonText(extras) : '');
    let call = this.#findContinued(index, id, name);
    if (!call) {
      call = { index, id: '', name: '', arguments: '' };
      this.#calls.push(call);
      assertFewCalls(this.#calls.length);
    }
    call.id ||= id;
    // Some repeat the whole name with each piece.
    if (name !== call.name) call.name += name;
    call.arguments = typeof given === 'string' ? call.arguments + text : text;
    if (extras) call.extras = mergePieces(call.extras as Json | undefined, extras) as JsonObject;
  }

  all(): GivenCall[] {
    return this.#calls;
  }
}

/** The documented signature of a call that no Gemini made: https://ai.google.dev/gemini-api/docs/thought-signatures. */
const UNSIGNED: JsonObject = { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } };

function turnOf(
  turn: ChatTurn,
  { extras, nullContent, signatures }: CallForm,
  owner: string,
): ChatCompletionMessageParam {
  if (turn.role === 'user') return turn;
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.toolCallId, content: turn.content };
  const { content, toolCalls } = turn;
  if (!toolCalls) return { role: 'assistant', content };
  const own = toolCalls.map((call) => (extras && call.extras?.by === owner ? call.extras : undefined));
  return {
    ...own[0]?.turn,
    role: 'assistant',
    content: content === '' && nullContent ? null : content,
    tool_calls: toolCalls.map(({ id, name, arguments: text }, index) => {
      const isUnsigned = signatures && index === 0 && !own[0];
      const { function: inside, ...beside } = own[index]?.call ?? (isUnsigned ? UNSIGNED : {});
      const called = { ...(inside as object | undefined), name, arguments: sentArguments(text) };
      return { ...beside, id, type: 'function', function: called };
    }),
  };
}

function parametersOf(
  config: ModelConfig,
  request: ChatRequest,
  form: CallForm,
): ChatCompletionCreateParamsNonStreaming {
  const format = sentFormat(request, takesSchema(form, request));
  const { temperature, seed, topP, stop, reasoningEffort } = chooseSampling(config, request, form);
  const told = addReplyFormat(request, format);
  const messages = form.systemRole ? told : foldedSystem(told);
  const turns = (request.turns ?? []).map((turn) => turnOf(turn, form, extrasOwner(config)));
  const said = [...messages.map(chatMessage), ...turns];
  const own: ChatCompletionCreateParamsNonStreaming = {
    model: config.model,
    messages: form.reasoning ? said.map(withReasoning) : said,
    tools: request.tools?.map((tool) => ({ type: 'function', function: { ...tool } })),
    tool_choice: request.tools && form.toolChoice ? request.toolChoice : undefined,
    temperature,
    [form.limitField]: outputLimit(config, request, form),
    response_format: format && { type: 'json_schema', json_schema: format },
    seed,
    top_p: topP,
    stop,
    // What there is differs from model to model.
    reasoning_effort: reasoningEffort as ReasoningEffort | undefined,
  };
  return { ...config.extraBody, ...omitUndefined(own) };
}

/** DeepSeek demands the field of each turn of a model that thinks, and takes an empty one. */
function withReasoning(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  return message.role === 'assistant' ? ({ reasoning_content: '', ...message } as ChatCompletionMessageParam) : message;
}

function givenCall(call: unknown): GivenCall {
  const called = fieldOf(call, 'function');
  return {
    id: textIn(call, 'id'),
    name: textIn(called, 'name'),
    arguments: fieldOf(called, 'arguments'),
    extras: providerFields(call, 'call'),
  };
}

/** Throws APIError for the error that a gateway puts into a choice whose model failed. */
function assertNoError(choice: unknown): void {
  const error = fieldOf(choice, 'error');
  if (error) throw statuslessError(error);
}

function wholeAnswer(completion: unknown): Answer {
  assertNoPage(completion);
  const error = fieldOf(completion, 'error');
  if (error) throw statuslessError(error);
  const [choice] = listIn(completion, 'choices');
  assertNoError(choice);
  const message = fieldOf(choice, 'message');
  const calls = listIn(message, 'tool_calls');
  assertFewCalls(calls.length);
  return {
    ...messageContent(message),
    toolCalls: calls.map(givenCall),
    beside: providerFields(message, 'message'),
    ended: fieldOf(choice, 'finish_reason'),
    usage: fieldOf(completion, 'usage'),
  };
}

async function readStreamedAnswer(
  stream: AsyncIterable<unknown>,
  mostBytes: number,
  onText: ChatRequest['onText'] = () => undefined,
): Promise<Answer> {
  const read = new ReadBytes(mostBytes);
  const answer = { text: '', refusal: '', thought: '' };
  const calls = new StreamedCalls(read);
  let beside: JsonObject | undefined;
  let finishReason: unknown;
  let usage: unknown;
  for await (const chunk of stream) {
    const [choice] = listIn(chunk, 'choices');
    const delta = fieldOf(choice, 'delta');
    assertNoError(choice);
    const { text, refusal, thought } = messageContent(delta);
    read.add(text, refusal, thought);
    answer.text += text;
    if (text !== '') onText(text);
    answer.refusal += refusal;
    answer.thought += thought;
    for (const piece of listIn(delta, 'tool_calls')) calls.add(piece);
    const fields = providerFields(delta, 'message');
    if (fields) {
      read.add(jsonText(fields));
      beside = mergePieces(beside, fields) as JsonObject;
    }
    finishReason = fieldOf(choice, 'finish_reason') ?? finishReason;
    usage = fieldOf(chunk, 'usage') ?? usage;
  }
  if (finishReason === undefined) throw new ModelReplyError('Interrupted', 'The stream ended before the reply did.');
  return { ...answer, toolCalls: calls.all(), beside, ended: finishReason, usage };
}

/**
 * Makes one call, streamed if the model is configured so. Never retries: the activity's policy does.
 * @param form the features that the endpoint takes. Default: all that the model is configured for
 */
export async function callChat(
  client: OpenAI,
  config: ModelConfig,
  request: ChatRequest,
  form = usualForm(config),
): Promise<ChatReply> {
  const parameters = parametersOf(config, request, form);
  const { headers, query } = config;
  const options = omitUndefined({ signal: request.signal, timeout: request.timeoutMs, maxRetries: 0, headers, query });
  const streaming = {
    ...parameters,
    stream: true as const,
    ...(form.streamUsage && { stream_options: { include_usage: true } }),
  };
  const limit = outputLimit(config, request, form);
  const makeReply = (answer: Answer): Promise<ChatReply> => replyOf({ ...answer, limit }, config, request);
  if (!isStreamed(config, request, form)) {
    return makeReply(wholeAnswer(await client.chat.completions.create(parameters, options)));
  }
  const given = await readStreamedOrWhole(await client.chat.completions.create(streaming, options).asResponse());
  if ('whole' in given) return makeReply(wholeAnswer(given.whole));
  return makeReply(await readStreamedAnswer(given.stream, mostBytesOf(config), request.onText));
}
