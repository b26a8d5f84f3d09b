import type {
  EmbeddingModelV2,
  EmbeddingModelV3,
  EmbeddingModelV4,
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider';
import { APICallError } from 'ai';
import { MockEmbeddingModelV3, MockLanguageModelV3 } from 'ai/test';
import type { JsonObject } from '../../src/lib/json/json';
import type { AiSdkEmbeddingModel, AiSdkLanguageModel } from '../../src/lib/models/ai-sdk/ai-sdk-model';
import { fromAiSdk } from '../../src/lib/models/ai-sdk/from-ai-sdk';
import { replyText } from '../../src/apps/testing/scripted-model/answers';
import { withAskedCode } from '../../src/apps/testing/scripted-model/judge-codes';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { type Asked, KEY, type ModelKind, sha256Of, type StartedKind } from './model-kind';

type CallOptions = LanguageModelV2CallOptions | LanguageModelV3CallOptions | LanguageModelV4CallOptions;

const BASE_URL = 'http://mock.example/v1/chat/completions';

function apiError(more: Partial<ConstructorParameters<typeof APICallError>[0]>): APICallError {
  return new APICallError({ message: 'The mock failed.', url: BASE_URL, requestBodyValues: { key: KEY }, ...more });
}

function statusError({
  status,
  headers = {},
  error,
  body,
  retryAfterDateMs,
}: Extract<ScriptEntry, { status: number }>): Error {
  const date: Record<string, string> =
    retryAfterDateMs === undefined ? {} : { 'retry-after': new Date(Date.now() + retryAfterDateMs).toUTCString() };
  const data = body === undefined ? { error: { message: `mocked ${status}`, ...error } } : undefined;
  return apiError({
    message: data?.error.message ?? 'mocked',
    statusCode: status,
    responseHeaders: { ...headers, ...date },
    responseBody: body ?? JSON.stringify(data),
    ...(data && { data }),
  });
}

/** Ends as `fetch` does when its signal aborts. */
async function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError')));
  });
}

async function failIfToldTo(entry: ScriptEntry | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (entry === undefined) throw statusError({ status: 400, error: { code: 'script_exhausted' } });
  if ('status' in entry) throw statusError(entry);
  if (!('fault' in entry)) return;
  if (entry.fault === 'reset') {
    throw apiError({ message: 'Cannot connect to API: read ECONNRESET', isRetryable: true });
  }
  if (entry.fault === 'truncate') {
    const cause = new TypeError('terminated');
    throw apiError({ message: 'Failed to process successful response', statusCode: 200, cause });
  }
  await aborted(signal);
}

/** What an entry of a script stands for, as a provider of the specification v3 gives it. */
function generated({ entry, prompt: asked }: Answered) {
  const said = 'reply' in entry ? replyText(entry.reply) : '';
  const text = 'toolCalls' in entry ? (entry.text ?? '') : withAskedCode(said, asked);
  const calls = 'toolCalls' in entry ? entry.toolCalls : [];
  const counted = 'usage' in entry ? entry.usage : undefined;
  const { prompt, completion } = counted === false ? {} : (counted ?? { prompt: 1, completion: 1 });
  const raw = 'refusal' in entry ? 'refusal' : ('finishReason' in entry && entry.finishReason) || 'stop';
  const unified = {
    refusal: 'content-filter',
    content_filter: 'content-filter',
    length: 'length',
    stop: 'stop',
  } as const;
  return {
    content: [
      { type: 'reasoning' as const, text: 'never part of a reply' },
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ name, arguments: given }, index) => ({
        type: 'tool-call' as const,
        toolCallId: `call_scripted_${index + 1}`,
        toolName: name,
        input: typeof given === 'string' ? given : JSON.stringify(given),
      })),
    ],
    finishReason: { unified: calls.length > 0 ? ('tool-calls' as const) : unified[raw], raw },
    usage: {
      inputTokens: { total: prompt, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: completion, text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

/** An entry of a script, and the words of the message that it answers. */
interface Answered {
  entry: ScriptEntry;
  prompt: string;
}

/** The same in the specification v2. */
function generatedV2(answered: Answered) {
  const { finishReason, usage, ...same } = generated(answered);
  const inputTokens = usage.inputTokens.total;
  const outputTokens = usage.outputTokens.total;
  return {
    ...same,
    // It has no raw reason: a refusal and a filter are one.
    finishReason: finishReason.unified,
    usage: { inputTokens, outputTokens, totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0) },
  };
}

function textOf(content: CallOptions['prompt'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (part.type === 'text') return part.text;
      return part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : '';
    })
    .join('');
}

/** What a part says, as each version of the specification has it. */
function attachmentsOf(content: CallOptions['prompt'][number]['content']): NonNullable<Asked['attachments']> {
  if (typeof content === 'string') return [];
  return content.flatMap((part) => {
    if (part.type !== 'file') return [];
    const { data, mediaType, filename } = part;
    const kind = mediaType.startsWith('image/') ? 'image' : 'file';
    const given: unknown = typeof data === 'object' && 'type' in data ? ('url' in data ? data.url : data) : data;
    const bytes = given instanceof Uint8Array ? given : (given as { data?: Uint8Array }).data;
    const from = bytes instanceof Uint8Array ? { sha256: sha256Of(bytes) } : { url: String(given) };
    return [{ kind, ...(filename !== undefined && { name: filename }), ...from }];
  });
}

function askedOf({ prompt, tools = [], responseFormat, maxOutputTokens, temperature }: CallOptions): Asked {
  const attachments = prompt.flatMap(({ content }) => attachmentsOf(content));
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined;
  return {
    messages: prompt.map(({ role, content }) => ({ role, text: textOf(content) })),
    ...(attachments.length > 0 && { attachments }),
    answered: prompt.flatMap((message) =>
      message.role === 'tool'
        ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
        : [],
    ),
    tools: tools.map(({ name }) => name),
    ...(schema && { schema: schema as JsonObject }),
    ...(maxOutputTokens === undefined ? {} : { maxTokens: maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

interface Mocks {
  language: AiSdkLanguageModel;
  embeddings: AiSdkEmbeddingModel;
}

/** Both mocks of one version of the specification: a mock of the AI SDK, or an object that the SDK's types check. */
function mocksOf(version: 'v2' | 'v3' | 'v4', script: ScriptEntry[], note: (asked: Asked) => void): Mocks {
  let at = 0;
  async function next(signal: AbortSignal | undefined): Promise<ScriptEntry> {
    const entry = script[at];
    at += 1;
    await failIfToldTo(entry, signal);
    return entry!;
  }
  async function entryFor(options: CallOptions): Promise<Answered> {
    const asked = askedOf(options);
    note(asked);
    return { entry: await next(options.abortSignal), prompt: asked.messages.at(-1)?.text ?? '' };
  }
  async function doEmbed({ values, abortSignal }: { values: string[]; abortSignal?: AbortSignal }) {
    note({ messages: [], answered: [], tools: [], texts: values });
    const entry = await next(abortSignal);
    const embeddings = 'vectors' in entry ? entry.vectors : [];
    return { embeddings, usage: { tokens: values.length }, warnings: [] };
  }
  const named = { provider: 'mock.chat', modelId: 'm-1', supportedUrls: {} };
  const embedding = { ...named, maxEmbeddingsPerCall: 100, supportsParallelCalls: false, doEmbed };
  const doStream = () => Promise.reject(new Error('nothing is streamed'));
  if (version === 'v2') {
    const doGenerate: LanguageModelV2['doGenerate'] = async (options) => generatedV2(await entryFor(options));
    const language: LanguageModelV2 = { specificationVersion: 'v2', ...named, doGenerate, doStream };
    const embeddings: EmbeddingModelV2<string> = { specificationVersion: 'v2', ...embedding };
    return { language, embeddings };
  }
  if (version === 'v4') {
    const doGenerate: LanguageModelV4['doGenerate'] = async (options) => generated(await entryFor(options));
    const language: LanguageModelV4 = { specificationVersion: 'v4', ...named, doGenerate, doStream };
    const embeddings: EmbeddingModelV4 = { specificationVersion: 'v4', ...embedding };
    return { language, embeddings };
  }
  const embeddings: EmbeddingModelV3 = new MockEmbeddingModelV3({ ...embedding });
  const language = new MockLanguageModelV3({
    ...named,
    doGenerate: async (options) => generated(await entryFor(options as LanguageModelV3CallOptions)),
  });
  return { language, embeddings };
}

function mock(version: 'v2' | 'v3' | 'v4', more: Partial<ModelKind> = {}): ModelKind {
  return {
    name: `a mock of the AI SDK, specification ${version}`,
    ...more,
    start(script, { name = 'm', prices, structuredOutput } = {}): Promise<StartedKind> {
      const asked: Asked[] = [];
      const { language, embeddings } = mocksOf(version, script, (one) => asked.push(one));
      const model = fromAiSdk(language, {
        name,
        embeddings,
        ...(prices && { prices }),
        ...(structuredOutput === undefined ? {} : { structuredOutput }),
      });
      return Promise.resolve({ model, asked: () => asked, close: () => Promise.resolve() });
    },
  };
}

/** The specification v2 does not tell a refusal from a filter. */
const ONE_FOR_BOTH = { 'a refusal': 'Filtered' };

export const MOCK_KINDS: readonly ModelKind[] = [mock('v2', { tellsLess: ONE_FOR_BOTH }), mock('v3'), mock('v4')];
