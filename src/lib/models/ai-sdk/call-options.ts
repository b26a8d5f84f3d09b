import { omitUndefined } from '../../base/defined';
import type { JsonObject } from '../../json/json';
import type { ModelMessage, ModelRequest } from '../own/custom-model';
import { sentArguments } from '../tool-calls/read-calls';
import type { ModelAttachment } from '../types';
import type { AiSdkLanguageModel } from './ai-sdk-model';

type SpecificationVersion = AiSdkLanguageModel['specificationVersion'];

/** The values that are sent with every call of a model. */
export interface SentAlong {
  /** Options that only one provider knows, by its name: `{ anthropic: { effort: 'low' } }`. */
  providerOptions?: Record<string, JsonObject>;
  /** HTTP headers. */
  headers?: Record<string, string>;
}

interface TextPart {
  type: 'text';
  text: string;
}

/** The data of a file in the specifications v2 and v3. */
export type PlainData = Uint8Array | URL;

/** The data of a file in v4, which names its type. */
export type TaggedData = { type: 'data'; data: Uint8Array } | { type: 'url'; url: URL };

interface FilePart<Data> {
  type: 'file';
  filename?: string;
  mediaType: string;
  data: Data;
}

interface ToolCallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerOptions?: Record<string, JsonObject>;
}

/** Reasoning as the provider gave it; some demand it before the calls that follow from it. */
interface ReasoningPart {
  type: 'reasoning';
  text: string;
  providerOptions?: Record<string, JsonObject>;
}

interface ToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text'; value: string };
}

type PromptMessage<Data> =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart<Data>)[] }
  | { role: 'assistant'; content: (ReasoningPart | TextPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] };

/** The options of `doGenerate` that are used: the same in the specifications v2, v3 and v4, but for the data of files. */
export interface AiSdkCallOptions<Data = PlainData | TaggedData> extends SentAlong {
  prompt: PromptMessage<Data>[];
  maxOutputTokens?: number;
  temperature?: number;
  seed?: number;
  topP?: number;
  stopSequences?: string[];
  responseFormat?: { type: 'json'; name: string; schema: JsonObject };
  tools?: { type: 'function'; name: string; description: string; inputSchema: JsonObject }[];
  toolChoice?: { type: 'auto' | 'none' };
  abortSignal: AbortSignal;
}

function textParts(text: string): TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** Makes the part of an attachment. A URL is passed on: the provider sends it, or refuses it. */
function filePart(attachment: ModelAttachment, version: SpecificationVersion): FilePart<PlainData | TaggedData> {
  const { kind, name: filename, mediaType = kind === 'image' ? 'image/*' : 'application/octet-stream' } = attachment;
  const given = attachment.url === undefined ? attachment.data : new URL(attachment.url);
  const tagged: TaggedData = given instanceof URL ? { type: 'url', url: given } : { type: 'data', data: given };
  return omitUndefined({ type: 'file', filename, mediaType, data: version === 'v4' ? tagged : given });
}

function promptMessage(message: ModelMessage, version: SpecificationVersion): PromptMessage<PlainData | TaggedData> {
  const { content } = message;
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: [...(message.attachments ?? []).map((each) => filePart(each, version)), ...textParts(content)],
      };
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(
        ({ id: toolCallId, name: toolName, arguments: written, extras }): ToolCallPart => ({
          type: 'tool-call',
          toolCallId,
          toolName,
          input: JSON.parse(sentArguments(written)) as unknown,
          ...(extras?.['providerOptions'] && {
            providerOptions: extras['providerOptions'] as Record<string, JsonObject>,
          }),
        }),
      );
      // As `generated-reply` keeps it.
      const reasoning = message.toolCalls?.[0]?.extras?.['reasoning'] as unknown as ReasoningPart[] | undefined;
      return { role: 'assistant', content: [...(reasoning ?? []), ...textParts(content), ...calls] };
    }
    case 'tool': {
      const { toolCallId, toolName } = message;
      const output = { type: 'text' as const, value: content };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
    default:
      return { role: 'system', content };
  }
}

export function callOptions(request: ModelRequest, along: SentAlong, version: SpecificationVersion): AiSdkCallOptions {
  const { messages, tools, toolChoice, temperature, maxTokens, responseSchema, seed, topP, stop, signal } = request;
  return omitUndefined({
    prompt: messages.map((message) => promptMessage(message, version)),
    maxOutputTokens: maxTokens,
    temperature,
    seed,
    topP,
    stopSequences: stop,
    responseFormat: responseSchema && { type: 'json', name: responseSchema.name, schema: responseSchema.schema },
    tools: tools?.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
    toolChoice: tools && { type: toolChoice ?? 'auto' },
    abortSignal: signal,
    ...along,
  });
}
