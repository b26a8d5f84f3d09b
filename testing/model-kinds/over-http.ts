import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { JsonObject } from '../../src/lib/json/json';
import { fromAiSdk } from '../../src/lib/models/ai-sdk/from-ai-sdk';
import type { CustomModel, ModelMessage } from '../../src/lib/models/own/custom-model';
import type { ModelConfig } from '../../src/lib/models/types';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { LedgerEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import {
  type Asked,
  KEY,
  KEY_VARIABLE,
  type KindSettings,
  type ModelKind,
  sha256Of,
  type StartedKind,
} from './model-kind';

/** A body of chat completions, of responses, or of embeddings. */
interface Body {
  messages?: { role: string; content: unknown; tool_call_id?: string }[];
  input?: { role: string; content: unknown }[] | string[];
  tools?: { function: { name: string } }[];
  response_format?: { json_schema?: { schema: JsonObject } };
  text?: { format?: { schema?: JsonObject } };
  max_completion_tokens?: number;
  max_tokens?: number;
  max_output_tokens?: number;
  temperature?: number;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : '';
}

function askedOf(entry: LedgerEntry): Asked {
  const body = (entry.body ?? {}) as unknown as Body;
  if (entry.path?.endsWith('/embeddings')) {
    return { messages: [], answered: [], tools: [], texts: body.input as string[] };
  }
  const given = body.messages ?? ((body.input ?? []) as { role: string; content: unknown; tool_call_id?: string }[]);
  const attachments = given.flatMap(({ content }) => attachmentsOf(content));
  const schema = body.response_format?.json_schema?.schema ?? body.text?.format?.schema;
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? body.max_output_tokens;
  return {
    messages: given.map(({ role, content }) => ({ role, text: textOf(content) })),
    ...(attachments.length > 0 && { attachments }),
    answered: given.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id])),
    tools: (body.tools ?? []).map(({ function: { name } }) => name),
    ...(schema && { schema }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(body.temperature === undefined ? {} : { temperature: body.temperature }),
  };
}

type Part = {
  type?: string;
  image_url?: string | { url: string };
  file?: { filename?: string; file_data?: string };
  file_data?: string;
  filename?: string;
};

/** A part of chat completions, or of responses. */
export function attachmentsOf(content: unknown): NonNullable<Asked['attachments']> {
  if (!Array.isArray(content)) return [];
  return (content as Part[]).flatMap((part) => {
    const { image_url: image, file = part } = part;
    const url = typeof image === 'object' ? image.url : (image ?? file.file_data);
    if (url === undefined) return [];
    const told = file.filename === undefined ? {} : { name: file.filename };
    return [{ kind: image === undefined ? 'file' : 'image', ...told, ...sentUrl(url) }];
  });
}

/** The bytes of a `data:` URL by their hash, or the URL. */
function sentUrl(url: string): { sha256: string } | { url: string } {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  return base64 === undefined ? { url } : { sha256: sha256Of(Buffer.from(base64, 'base64')) };
}

type Make = (baseUrl: string, settings: KindSettings) => ModelConfig | CustomModel;

function overHttp(name: string, make: Make, more: Partial<ModelKind> = {}): ModelKind {
  return {
    name,
    ...more,
    async start(script, settings = {}): Promise<StartedKind> {
      const server = await ScriptedOpenAI.start({ script, responses: 'background' });
      return {
        model: make(server.baseUrl, settings),
        asked: () => requestsOf(server.ledger).map(askedOf),
        close: () => server.close().catch(() => undefined),
      };
    },
  };
}

const configured =
  (more: Partial<ModelConfig>): Make =>
  (baseUrl, { name = 'm', prices, structuredOutput }) => ({
    name,
    model: 'm-1',
    baseUrl,
    apiKeyVariable: KEY_VARIABLE,
    ...(prices && { prices }),
    ...(structuredOutput === undefined ? {} : { structuredOutput }),
    ...more,
  });

function wireMessage(message: ModelMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role === 'user' && message.attachments) {
    const parts = message.attachments.map(({ kind, name, ...from }) => {
      const url = from.url ?? `data:${from.mediaType};base64,${Buffer.from(from.data).toString('base64')}`;
      return kind === 'image'
        ? { type: 'image_url', image_url: { url } }
        : { type: 'file', file: { filename: name, file_data: url } };
    });
    return { role: 'user', content: [...parts, { type: 'text', text: message.content }] };
  }
  if (message.role !== 'assistant' || !message.toolCalls) return message;
  const calls = message.toolCalls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  return { role: 'assistant', content: message.content, tool_calls: calls };
}

interface Answer {
  choices: {
    message: {
      content: string | null;
      refusal: string | null;
      tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    };
    finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number };
  error?: { message?: string; code?: string | number; type?: string };
}

/** What somebody writes who knows `fetch` and the documentation of `CustomModel`. */
function written(baseUrl: string, { name = 'm', prices, structuredOutput }: KindSettings): CustomModel {
  async function post<T>(path: string, body: object, signal: AbortSignal): Promise<T> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
    if (response.ok) return (await response.json()) as T;
    const text = await response.text();
    const error = new Error(`the provider answered ${response.status}`);
    throw Object.assign(error, { status: response.status, headers: response.headers, body: text });
  }
  return {
    name,
    model: 'm-1',
    provider: 'written',
    ...(prices && { prices }),
    ...(structuredOutput === undefined ? {} : { structuredOutput }),
    async call({ messages, tools, responseSchema, maxTokens, temperature, signal }) {
      const body = {
        model: 'm-1',
        messages: messages.map(wireMessage),
        tools: tools?.map((tool) => ({ type: 'function', function: tool })),
        response_format: responseSchema && { type: 'json_schema', json_schema: responseSchema },
        max_completion_tokens: maxTokens,
        temperature,
      };
      const answer = await post<Answer>('/chat/completions', body, signal);
      const { message, finish_reason: finishReason } = answer.choices[0]!;
      const usage = answer.usage && {
        promptTokens: answer.usage.prompt_tokens,
        completionTokens: answer.usage.completion_tokens,
      };
      if (message.refusal !== null) return { text: message.refusal, finishReason: 'refusal', ...(usage && { usage }) };
      const toolCalls = message.tool_calls?.map(({ id, function: call }) => ({ id, ...call }));
      return { text: message.content ?? '', finishReason, ...(usage && { usage }), ...(toolCalls && { toolCalls }) };
    },
    async embed({ texts, signal }) {
      const answer = await post<{ data: { embedding: number[] }[]; usage: { prompt_tokens: number } }>(
        '/embeddings',
        { model: 'm-1', input: texts },
        signal,
      );
      return {
        vectors: answer.data.map(({ embedding }) => embedding),
        usage: { promptTokens: answer.usage.prompt_tokens },
      };
    },
  };
}

function openAiCompatible(baseURL: string, { name = 'm', prices, structuredOutput = true }: KindSettings): CustomModel {
  const provider = createOpenAICompatible({
    name: 'scripted',
    baseURL,
    apiKey: KEY,
    supportsStructuredOutputs: structuredOutput,
    // Of streams.
    includeUsage: true,
  });
  return fromAiSdk(provider('m-1'), {
    name,
    embeddings: provider.embeddingModel('m-1'),
    ...(prices && { prices }),
  });
}

/** The script's server breaks nothing off that is made in the background; what is not there in time is waited for. */
const NOT_IN_THE_BACKGROUND = [
  '404',
  'no answer in time',
  'a body that stalls',
  'a body that breaks off',
  'a body that ends early',
];

/** What an answer of status 200 holds is for the owner's code to read. */
const NOT_ITS_PART = ['a page', 'a limit', 'a code', 'another error'];

export const HTTP_KINDS: readonly ModelKind[] = [
  overHttp('an endpoint', configured({})),
  overHttp('an endpoint that streams', configured({ stream: true }), {
    streams: true,
  }),
  overHttp('an endpoint in the background', configured({ background: true }), {
    warnsOfTools: true,
    leavesOut: NOT_IN_THE_BACKGROUND,
  }),
  overHttp('code of the owner', written, { leavesOut: NOT_ITS_PART }),
  overHttp("the AI SDK's OpenAI-compatible provider", openAiCompatible),
  overHttp("the AI SDK's OpenAI-compatible provider, watched", openAiCompatible, {
    streams: true,
    watched: true,
    tellsLess: { 'a refusal': 'Filtered' },
  }),
];
