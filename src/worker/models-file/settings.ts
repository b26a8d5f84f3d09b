import { z } from 'zod';
import { json } from '../../lib/contract/values';
import type { EndpointLimits } from '../../lib/models/circuits/endpoint-limits';
import { LEAST_REPLY_BYTES, MOST_REPLY_BYTES } from '../../lib/models/habits/reply-size';
import type { ModelConfig } from '../../lib/models/types';
import { httpUrl, variableName, variableNames } from '../../lib/yaml/worker-settings';

/** The form of a model's name, which is used in specs, on command lines and in metrics. */
const NAME = /^[\w.:/@-]{1,200}$/;

const filled = z.string().min(1, 'must not be empty').max(2_000);
const price = z.number().min(0);
const positive = z.number().positive();

/** An endpoint of the file: what its models have in common. */
export const ENDPOINT = z.strictObject({
  baseUrl: httpUrl.optional(),
  apiKeyVariable: variableName.optional(),
  headersFromVariables: variableNames.optional(),
  queryFromVariables: variableNames.optional(),
  callsPerSecond: positive.optional(),
  concurrentCalls: z.int().min(1).optional(),
});
export type EndpointSettings = z.infer<typeof ENDPOINT>;

/** The settings of a model in the file are those that `createWorker` takes, except its endpoint and its name. */
type OwnFields = Omit<
  ModelConfig,
  'name' | 'baseUrl' | 'apiKeyVariable' | 'headers' | 'query' | 'endpointLimits' | 'extraBody'
>;

export const MODEL = z.strictObject({
  endpoint: filled.optional(),
  model: filled,
  prices: z
    .strictObject({ inputPerMillion: price, outputPerMillion: price, cachedInputPerMillion: price.optional() })
    .optional(),
  contextWindow: z.int().min(1).optional(),
  fallback: filled.optional(),
  structuredOutput: z.boolean().optional(),
  images: z.boolean().optional(),
  files: z.boolean().optional(),
  maxOutputTokens: z.union([z.literal(false), z.int().min(1)]).optional(),
  maxReplyBytes: z.int().min(LEAST_REPLY_BYTES).max(MOST_REPLY_BYTES).optional(),
  limitField: z.enum(['max_completion_tokens', 'max_tokens']).optional(),
  systemRole: z.boolean().optional(),
  background: z.boolean().optional(),
  stream: z.boolean().optional(),
  seed: z.int().optional(),
  topP: z.number().min(0).max(1).optional(),
  stop: z.array(filled).min(1).max(4).optional(),
  reasoningEffort: filled.optional(),
  extraBody: z.record(z.string(), json).optional(),
}) satisfies z.ZodType<OwnFields>;
export type ModelSettings = z.infer<typeof MODEL>;

/** Returns whether a text can be the name of a model or an endpoint. */
export function isName(name: string): boolean {
  return NAME.test(name);
}

export function limitsOf({ callsPerSecond, concurrentCalls }: EndpointSettings): EndpointLimits | undefined {
  if (callsPerSecond === undefined && concurrentCalls === undefined) return undefined;
  return {
    ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
    ...(concurrentCalls === undefined ? {} : { concurrentCalls }),
  };
}
