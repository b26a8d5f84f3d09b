import type { ModelPrices } from './types';

/** Prices by the provider's name of the model. There are none built in: providers change them, and differ. */
export type PriceTable = Readonly<Record<string, ModelPrices>>;

/** Returns a model's prices in a table; names such as `constructor` are not entries of it. */
export function pricesOf(table: PriceTable | undefined, model: string): ModelPrices | undefined {
  return table && Object.hasOwn(table, model) ? table[model] : undefined;
}

const MILLION = 1_000_000;

export function priceOf(
  tokens: { promptTokens: number; completionTokens: number; cachedTokens?: number | undefined },
  prices: ModelPrices,
): number {
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = prices;
  const { promptTokens, completionTokens, cachedTokens = 0 } = tokens;
  const input = (promptTokens - cachedTokens) * inputPerMillion + cachedTokens * cachedInputPerMillion;
  return (input + completionTokens * outputPerMillion) / MILLION;
}

/** Returns the output tokens that US dollars buy; undefined when output costs nothing. */
export function outputTokensFor(usd: number, { outputPerMillion }: ModelPrices): number | undefined {
  return outputPerMillion > 0 ? Math.floor((usd * MILLION) / outputPerMillion) : undefined;
}
