import * as fc from 'fast-check';
import { addUsage, NO_USAGE } from '../../../src/lib/base/tokens';
import type { TokenUsage } from '../../../src/lib/contract/values';
import { usageOf as usageOfFunction } from '../../../src/loop/moves/functions';
import { usageOf } from '../../../src/lib/models/answer';
import { countedTokens } from '../../../src/lib/models/tokens/token-counts';

const prices = { inputPerMillion: 1, outputPerMillion: 2 };
const amount = fc.oneof(
  fc.constantFrom(0, 1e308, Number.MAX_SAFE_INTEGER, 1e21, 5e-324),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
);

test('whatever is told of tokens, sums stay numbers, and the total is no less than its parts', () => {
  fc.assert(
    fc.property(amount, amount, fc.option(amount, { nil: undefined }), (prompt, completion, total) => {
      const usage = usageOf({ prompt, completion, ...(total === undefined ? {} : { total }) }, prices);
      expect(usage.totalTokens).toBeGreaterThanOrEqual(usage.promptTokens + usage.completionTokens);
      const told = usageOfFunction({
        promptTokens: prompt,
        completionTokens: completion,
        totalTokens: total,
        usd: prompt,
      });
      const sum = [usage, told, usage, told].reduce<TokenUsage>(
        (all, each) => addUsage(all, each as TokenUsage),
        NO_USAGE,
      );
      expect(JSON.parse(JSON.stringify(sum))).toEqual(sum);
      expect(Object.values(sum).every((each) => Number.isFinite(each))).toBe(true);
    }),
  );
});

test('a total below the sum of its parts is not believed; one above it is', () => {
  const counts = (total: number) => countedTokens({ prompt_tokens: 100, completion_tokens: 20, total_tokens: total });
  const total = (given: number) => usageOf({ prompt: 0, completion: 0, ...counts(given) }, undefined).totalTokens;
  expect([7, 120, 150].map(total)).toEqual([120, 120, 150]);
});

describe('cached tokens', () => {
  const counts = (prompt: number, cached: number, total: number) =>
    countedTokens({
      prompt_tokens: prompt,
      completion_tokens: 20,
      total_tokens: total,
      prompt_tokens_details: { cached_tokens: cached },
    });

  test('are part of the prompt where the total has them once', () => {
    expect(counts(100, 80, 120)).toMatchObject({ prompt: 100, cached: 80 });
  });

  test('are added to the prompt where the total shows that they stand beside it', () => {
    expect(counts(20, 80, 120)).toMatchObject({ prompt: 100, cached: 80, total: 120 });
  });
});
