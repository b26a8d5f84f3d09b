import { z } from 'zod';
import { omitUndefined } from '../../base/defined';
import type { ModelReply, ModelRequest, ModelUsage } from '../own/custom-model';
import { mistakesOf } from '../own/mistakes';
import { ModelCallError } from '../own/model-call-error';
import { ModelReplyError } from '../reply-error';
import { assertSmallContent } from '../own/value-size';
import { renderCount } from '../../text/counted';

/** The specification v2 has texts and numbers where v3 and v4 have objects. */
const GENERATED = z.object({
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      toolCallId: z.string().optional(),
      toolName: z.string().optional(),
      input: z.unknown().optional(),
      providerExecuted: z.boolean().nullish(),
      providerMetadata: z.record(z.string(), z.unknown()).nullish(),
    }),
  ),
  finishReason: z.union([z.string(), z.object({ unified: z.string(), raw: z.string().nullish() })]),
  /** Providers that count nothing leave the numbers out, or give NaN. */
  usage: z
    .object({
      inputTokens: z.unknown().optional(),
      outputTokens: z.unknown().optional(),
      totalTokens: z.unknown().optional(),
      cachedInputTokens: z.unknown().optional(),
      reasoningTokens: z.unknown().optional(),
    })
    .nullish(),
  warnings: z.array(z.looseObject({ type: z.string() })).nullish(),
  structuredOutputText: z.string().optional(),
  response: z.object({ body: z.unknown().optional() }).nullish(),
});

type Generated = z.infer<typeof GENERATED>;

function partOf(value: unknown, part: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
}

function countOf(value: unknown): number | undefined {
  const count = partOf(value, 'total') ?? value;
  return typeof count === 'number' && count >= 0 && Number.isFinite(count) ? count : undefined;
}

function usageOf(usage: Generated['usage']): ModelUsage | undefined {
  const prompt = countOf(usage?.inputTokens);
  const completion = countOf(usage?.outputTokens);
  if (prompt === undefined && completion === undefined) return undefined;
  return omitUndefined({
    promptTokens: prompt ?? 0,
    completionTokens: completion ?? 0,
    totalTokens: countOf(usage?.totalTokens),
    // Providers write 0 if they do not know the number.
    cachedTokens: countOf(partOf(usage?.inputTokens, 'cacheRead') ?? usage?.cachedInputTokens) || undefined,
    reasoningTokens: countOf(partOf(usage?.outputTokens, 'reasoning') ?? usage?.reasoningTokens) || undefined,
  });
}

function warningOf(warning: Record<string, unknown>): string {
  const { type, feature, setting, tool, details, message } = warning;
  const named = tool && typeof tool === 'object' && 'name' in tool ? tool.name : undefined;
  const texts = [feature ?? setting ?? named, message ?? details].filter((text) => typeof text === 'string');
  return ['the model', ...(type === 'other' ? [] : [String(type)]), ...texts].join(': ');
}

/** Returns the text with which a model refused, if the answer has one: some providers report it only in the answer's body. */
function refusalIn(body: unknown): string | undefined {
  const { choices } = (typeof body === 'object' && body !== null ? body : {}) as { choices?: unknown };
  const [first] = (Array.isArray(choices) ? choices : []) as ({ message?: { refusal?: unknown } } | null)[];
  const refusal = first?.message?.refusal;
  return typeof refusal === 'string' && refusal !== '' ? refusal : undefined;
}

/** Reads `doGenerate`'s reply. Reasoning is kept for the provider alone. Throws ModelReplyError, ModelCallError. */
export function replyFrom(result: unknown, { responseSchema }: ModelRequest): ModelReply {
  assertSmallContent(result);
  const mistakes = mistakesOf(GENERATED, result);
  if (mistakes.length > 0) {
    throw new ModelReplyError(
      'InvalidReply',
      `What doGenerate of the AI SDK's model returned is wrong: ${mistakes.join('; ')}`,
    );
  }
  const { content, finishReason, structuredOutputText, response, ...rest } = GENERATED.parse(result);
  const usage = usageOf(rest.usage);
  const { unified, raw }: { unified: string; raw?: string | null | undefined } =
    typeof finishReason === 'string' ? { unified: finishReason } : finishReason;
  if (unified === 'error') throw new ModelCallError('Unavailable', 'The model ended with an error.', { usage });
  if (unified === 'interrupted') throw new ModelCallError('Interrupted', 'The reply was interrupted.', { usage });
  const refusal = refusalIn(response?.body);
  if (refusal !== undefined || raw === 'refusal')
    return omitUndefined({ text: refusal ?? '', finishReason: 'refusal', usage });
  const written = content.filter(({ type }) => type === 'text').map(({ text }) => text ?? '');
  const calls = content.filter(({ type, providerExecuted }) => type === 'tool-call' && !providerExecuted);
  const thoughts = content
    .filter(({ type }) => type === 'reasoning')
    .map(({ text = '', providerMetadata }) => ({
      type: 'reasoning',
      text,
      providerOptions: providerMetadata ?? undefined,
    }));
  const files = content.filter(({ type }) => type === 'file').length;
  const warnings = [
    ...(rest.warnings ?? []).map(warningOf),
    ...(files > 0
      ? [`the model sent ${renderCount(files, 'file')}, which ${files === 1 ? 'is' : 'are'} left out`]
      : []),
  ];
  return omitUndefined({
    text: (responseSchema && structuredOutputText) ?? written.join(''),
    toolCalls: calls.map(({ toolCallId, toolName, input, providerMetadata }, index) =>
      omitUndefined({
        id: toolCallId,
        name: toolName ?? '',
        arguments: input,
        extras: extrasOf(providerMetadata, index === 0 ? thoughts : []),
      }),
    ),
    finishReason: REASONS[unified] ?? reasonOf(unified, raw),
    usage,
    warnings: warnings.length > 0 ? warnings : undefined,
  });
}

function extrasOf(
  providerOptions: object | null | undefined,
  reasoning: object[],
): Record<string, unknown> | undefined {
  if (!providerOptions && reasoning.length === 0) return undefined;
  return { ...(providerOptions && { providerOptions }), ...(reasoning.length > 0 && { reasoning }) };
}

/** Returns the provider's own reason if the AI SDK has no word for it; `unknown` means that the provider gave none. */
function reasonOf(unified: string, raw: string | null | undefined): string | undefined {
  return raw ?? (unified === 'unknown' ? undefined : unified);
}

const REASONS: Readonly<Record<string, ModelReply['finishReason']>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};
