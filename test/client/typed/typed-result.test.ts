import { z } from 'zod';
import { typedResult } from '../../../src/client/typed/typed-run';
import { UnexpectedOutputError } from '../../../src/loop/errors/errors';
import type { Json } from '../../../src/lib/json/json';
import { initialState } from '../../../src/loop/state/loop-state';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { resultOf } from '../../../src/loop/versions/result';
import { stop } from '../../../src/loop/moves/transitions';
import { type Json as PublicJson, type ReflectionClient, type ReflectionResult } from '../../../src';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const person = z.object({ name: z.string(), born: z.iso.date().transform((text) => new Date(text)) });

function resultWith(...outputs: Json[]): ReflectionResult {
  const state = initialState(0);
  state.versions = outputs.map((output, index) => ({ ...aVersion(index + 1, anEvaluation('fail', 0.5)), output }));
  state.bestIteration = outputs.length > 0 ? 1 : null;
  stop(state, { ...DEFAULT_SETTINGS }, { reason: 'max_iterations' }, 'now');
  return resultOf(state, { ...DEFAULT_SETTINGS, onFailure: 'return_last' }, 0);
}

const ada = { name: 'Ada', born: '1815-12-10' };

describe('a result that is read by a schema', () => {
  test('has the type of what the schema makes', async () => {
    const { finalOutput, bestOutput } = await typedResult(resultWith(ada), person);
    expect(finalOutput?.born.getUTCFullYear()).toBe(1815);
    expect(bestOutput?.name).toBe('Ada');
  });

  test('a final output that it refuses is an error that says where, and has the result', async () => {
    const result = resultWith(ada, { name: 7, born: 'long ago' });
    const error = await typedResult(result, person).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnexpectedOutputError);
    expect(error).toMatchObject({ type: 'UnexpectedOutput', result, problems: [{ path: '/name' }, { path: '/born' }] });
    expect(String(error)).toMatch(/ended with max_iterations.*\n\/name: /s);
  });

  test('a best output that it refuses is null, and no output at all is no error', async () => {
    const result = await typedResult(resultWith('a draft', ada), person);
    expect(result).toMatchObject({ finalOutput: { name: 'Ada' }, bestOutput: null });
    expect(result.history.versions[0]?.output).toBe('a draft');
    await expect(typedResult(resultWith(), person)).resolves.toMatchObject({ finalOutput: null, bestOutput: null });
  });
});

/** True for two types that are identical; being assignable both ways would not notice a missing optional field. */
// oxlint-disable typescript/no-unnecessary-type-parameters -- Types can be compared for identity in no other way.
type SameType<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
// oxlint-enable typescript/no-unnecessary-type-parameters

const same = <One, Other>(answer: SameType<One, Other>): boolean => answer;

describe('the types of the client', () => {
  test('follow the schema, and are JSON without one', () => {
    const calls = (client: ReflectionClient) => ({
      typed: () => client.run({} as ReflectionSpec, { output: person, workflowId: 'x' }),
      found: () => client.result('x', { output: person }),
      plain: () => client.run({} as ReflectionSpec, { workflowId: 'x' }),
      bare: () => client.result('x'),
    });
    type Calls = { [Name in keyof ReturnType<typeof calls>]: Awaited<ReturnType<ReturnType<typeof calls>[Name]>> };
    type Person = { name: string; born: Date } | null;
    expect(same<Calls['typed']['finalOutput'], Person>(true)).toBe(true);
    expect(same<Calls['found']['bestOutput'], Person>(true)).toBe(true);
    expect(same<Calls['plain']['finalOutput'], PublicJson>(true)).toBe(true);
    expect(same<Calls['bare'], ReflectionResult>(true)).toBe(true);
    expect(same<Calls['bare'], Calls['typed']>(false)).toBe(false);
  });
});
