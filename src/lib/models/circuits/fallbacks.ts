import { didYouMean } from '../../names/nearest-name';
import { inability, type ServedModel } from '../own/served-model';

/** Checks that every fallback is a model that can be called, and that none leads back to itself. Throws TypeError. */
export function assertFallbacks(models: readonly ServedModel[]): void {
  for (const { name, fallback } of models) {
    if (fallback === undefined) continue;
    const found = models.find((each) => each.name === fallback);
    if (!found) {
      const near = didYouMean(
        fallback,
        models.map((each) => each.name),
      );
      throw new TypeError(`the fallback "${fallback}" of the model "${name}" is not one that specs may name${near}`);
    }
    const why = inability(found, 'call');
    if (why !== undefined) throw new TypeError(`the fallback of the model "${name}": ${why}`);
    const chain = fallbackChain(models, name);
    if (chain.at(-1)?.fallback !== undefined)
      throw new TypeError(
        `the fallbacks of the model "${name}" lead in a circle: ${chain.map((each) => each.name).join(', ')}`,
      );
  }
}

/** Returns a model and its fallbacks, in the order in which they are asked; a circle ends at its first repetition. */
export function fallbackChain(models: readonly ServedModel[], name: string): ServedModel[] {
  const chain: ServedModel[] = [];
  let next = models.find((each) => each.name === name);
  while (next && !chain.includes(next)) {
    chain.push(next);
    const { fallback } = next;
    next = models.find((each) => each.name === fallback);
  }
  return chain;
}

export function inThePlaceOf(asked: string, fallback: string): string {
  return `the model "${fallback}" was asked in the place of "${asked}", whose circuit is open`;
}
