import type { ChatRequest, ChatMessage, ModelAttachment } from '../types';
import { estimateTokens } from './estimated-tokens';
import { countIn, fieldOf } from '../habits/read-json';

/** Tokens that a picture counts as. Models take from about 85 (small, low detail) to about 1,600. */
const IMAGE_TOKENS = 1_000;

/** The tokens that a file counts as if it is not text: about one or two pages of a PDF file. */
const FILE_TOKENS = 2_000;

const BYTES_OF_A_TOKEN = 3;

function tokensOf({ kind, mediaType = '', data }: ModelAttachment): number {
  if (kind === 'image') return IMAGE_TOKENS;
  if (data && /^text\/|[/+]json$/.test(mediaType)) return Math.ceil(data.length / BYTES_OF_A_TOKEN);
  return FILE_TOKENS;
}

/** Estimates the tokens of the attachments of some messages. Their size as base64 does not count. */
function attachmentTokens(messages: readonly Pick<ChatMessage, 'attachments'>[]): number {
  return messages.flatMap(({ attachments = [] }) => attachments).reduce((sum, each) => sum + tokensOf(each), 0);
}

export interface TokenCounts {
  prompt: number;
  completion: number;
  total?: number;
  cached?: number;
  /** The tokens of the reply that the model thought with. */
  reasoning?: number;
  /** The provider counted none, or not all: these are estimates. */
  estimated?: true;
}

/** Returns the counts of a provider: of chat completions, of responses, and of DeepSeek. */
export function countedTokens(usage: unknown): Partial<TokenCounts> {
  const promptDetails = fieldOf(usage, 'prompt_tokens_details') ?? fieldOf(usage, 'input_tokens_details');
  const replyDetails = fieldOf(usage, 'completion_tokens_details') ?? fieldOf(usage, 'output_tokens_details');
  const counted = countIn(usage, 'prompt_tokens') ?? countIn(usage, 'input_tokens');
  const completion = countIn(usage, 'completion_tokens') ?? countIn(usage, 'output_tokens');
  const cached = countIn(promptDetails, 'cached_tokens') ?? countIn(usage, 'prompt_cache_hit_tokens');
  const reasoning = countIn(replyDetails, 'reasoning_tokens');
  const total = countIn(usage, 'total_tokens');
  // Some count cached tokens beside the prompt: their total has them.
  const isBeside = counted !== undefined && cached !== undefined && total === counted + cached + (completion ?? 0);
  const prompt = isBeside ? counted + cached : counted;
  return {
    // A prompt of no tokens is one that was not counted.
    ...(prompt === undefined || prompt === 0 ? {} : { prompt }),
    ...(completion === undefined ? {} : { completion }),
    ...(total === undefined ? {} : { total }),
    ...(cached === undefined || prompt === undefined ? {} : { cached: Math.min(cached, prompt) }),
    ...(reasoning === undefined || completion === undefined ? {} : { reasoning: Math.min(reasoning, completion) }),
  };
}

const AROUND_MESSAGE = 4;

function promptText({ messages, turns = [], tools = [], reply }: ChatRequest): string {
  const said = [...messages, ...turns].map((message) =>
    'toolCalls' in message ? `${message.content}${JSON.stringify(message.toolCalls)}` : message.content,
  );
  return [
    ...said,
    ...(tools.length > 0 ? [JSON.stringify(tools)] : []),
    ...(reply ? [JSON.stringify(reply)] : []),
  ].join('\n');
}

export async function estimatePromptTokens(request: ChatRequest): Promise<number> {
  const around = AROUND_MESSAGE * (request.messages.length + (request.turns?.length ?? 0));
  return (await estimateTokens(promptText(request))) + attachmentTokens(request.messages) + around;
}

/** Counts a call's tokens as the provider did, or estimates them by all that the model wrote. */
export async function countTokens(usage: unknown, request: ChatRequest, written: string): Promise<TokenCounts> {
  const { prompt, completion, total, ...more } = countedTokens(usage);
  const isCounted = completion !== undefined && (completion > 0 || written === '');
  if (prompt !== undefined && isCounted)
    return { prompt, completion, ...(total === undefined ? {} : { total }), ...more };
  return {
    prompt: prompt ?? (await estimatePromptTokens(request)),
    completion: isCounted ? completion : await estimateTokens(written),
    ...more,
    estimated: true,
  };
}
