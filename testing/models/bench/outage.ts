import { setTimeout as sleep } from 'node:timers/promises';
import { createModels } from '../../../src/lib/models';
import { failureTypeOf, isError, type ModelFailureType } from '../../../src/lib/models/circuits/failure-type';
import type { ModelConfig } from '../../../src/lib/models/types';

/** The failures of an endpoint that may answer again, or of a circuit that its failures opened. */
const OUTAGES: readonly ModelFailureType[] = ['Unavailable', 'Timeout', 'Interrupted', 'RateLimited', 'CircuitOpen'];
const PROBE_TIME_MS = 120_000;

/** Returns whether a failure, of a call or of a loop, says that the endpoint does not answer at present. */
export function isOutage(error: unknown): boolean {
  if (!isError(error)) return false;
  const { type } = error as { type?: unknown };
  const own =
    typeof type === 'string' && type.startsWith('Model.') ? type.slice('Model.'.length) : failureTypeOf(error);
  if (own !== undefined) return (OUTAGES as readonly string[]).includes(own);
  return isOutage(error.cause);
}

export interface Patience {
  /** Milliseconds between two questions. */
  everyMs: number;
  /** Milliseconds after which it is given up. */
  forMs: number;
}

/** Asks an endpoint until it answers anything, a refusal included; false when it did not answer in time. */
export async function untilAnswers(config: ModelConfig, { everyMs, forMs }: Patience): Promise<boolean> {
  // A circuit would turn the questions away.
  const models = createModels([config], process.env, { circuitBreaker: false });
  const until = Date.now() + forMs;
  for (;;) {
    const error: unknown = await models
      .call({
        messages: [{ role: 'user', content: 'Say yes.' }],
        maxTokens: 1,
        timeoutMs: PROBE_TIME_MS,
        signal: new AbortController().signal,
      })
      .then(
        () => undefined,
        (failure: unknown) => failure,
      );
    if (!isOutage(error)) return true;
    if (Date.now() + everyMs > until) return false;
    await sleep(everyMs);
  }
}
