import type { JsonObject } from '../../lib/json/json';
import type { ReflectionSpec } from '../contract/spec';

function readModelName(state: JsonObject | undefined, key: string): string | undefined {
  const name = state && Object.hasOwn(state, key) ? state[key] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Keys of a state that name the model of calls that name none. A loop's own `model` may be anything that it is about. */
const KEYS = { request: ['model', 'llm_model'], run: ['llm_model'] } as const;

export function modelOfState(
  state: JsonObject | undefined,
  where: keyof typeof KEYS = 'request',
): { key: string; name: string } | undefined {
  for (const key of KEYS[where]) {
    const name = readModelName(state, key);
    if (name !== undefined) return { key, name };
  }
  return undefined;
}

/** The model of a loop's calls that name none; undefined is the default of the worker. */
export function modelOfCalls({ model, state }: Pick<ReflectionSpec, 'model' | 'state'>): string | undefined {
  return model ?? modelOfState(state, 'run')?.name;
}
