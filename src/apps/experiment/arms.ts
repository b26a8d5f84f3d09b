import { addUsage, NO_USAGE } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';
import { omitUndefined } from '../../lib/base/defined';
import { isModelCall } from '../../loop/spec/steps';
import type { ReflectionSpec } from '../../loop/contract/spec';

export const BASELINES = ['single', 'best-of-n'] as const;
export type Baseline = (typeof BASELINES)[number];

export interface Arm {
  name: string;
  kind: 'loop' | Baseline;
  spec: ReflectionSpec;
}

/**
 * Returns a loop's spec for a run that no person answers: without reviews, and without what other runs learned, which would
 * make a case depend on those before it. A loop without a passing version returns its best one, which counts as not passed.
 */
export function makeUnattended(spec: ReflectionSpec): ReflectionSpec {
  const { review: _review, memory: _memory, ...kept } = spec;
  return kept.onFailure === 'raise' ? { ...kept, onFailure: 'return_best' } : kept;
}

export function makeSingleShot(spec: ReflectionSpec): ReflectionSpec {
  const { corrector: _corrector, revision: _revision, triggers: _triggers, ...kept } = makeUnattended(spec);
  return { ...kept, maxIterations: 1 };
}

/** The temperature of samples: samples that are to differ are not drawn at temperature 0, nor with a seed. */
const SAMPLING_TEMPERATURE = 0.8;

export function makeSample(spec: ReflectionSpec): ReflectionSpec {
  const single = makeSingleShot(spec);
  const { generator } = single;
  if (!isModelCall(generator)) return single;
  const { seed: _seed, temperature, ...call } = generator;
  return {
    ...single,
    generator: omitUndefined({ ...call, temperature: temperature === 0 ? SAMPLING_TEMPERATURE : temperature }),
  };
}

export function subtractUsage(usage: TokenUsage, part: TokenUsage | undefined): TokenUsage {
  if (!part) return usage;
  const { promptTokens, completionTokens, totalTokens, modelCalls } = usage;
  return {
    promptTokens: promptTokens - part.promptTokens,
    completionTokens: completionTokens - part.completionTokens,
    totalTokens: totalTokens - part.totalTokens,
    modelCalls: modelCalls - part.modelCalls,
    usd: usage.usd === null || part.usd === null ? null : usage.usd - part.usd,
    ...(usage.estimated && { estimated: true }),
  };
}

export function sumUsage(usages: readonly TokenUsage[]): TokenUsage {
  return usages.reduce((sum, usage) => addUsage(sum, usage), NO_USAGE);
}
