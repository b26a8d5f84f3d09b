import { failureTypeOf } from '../../../../src/lib/models/circuits/failure-type';
import { createModels } from '../../../../src/lib/models';

const MB = 1024 * 1024;

test.each<[string, () => object]>([
  ['a text', () => ({ text: 'spam '.repeat(2 * MB) })],
  [
    'calls of tools',
    () => ({ text: '', toolCalls: Array.from({ length: 1_000_000 }, () => ({ name: 'look', arguments: {} })) }),
  ],
  [
    'arguments',
    () => ({ text: '', toolCalls: [{ name: 'look', arguments: Array.from({ length: 2 * MB }, () => 'spam') }] }),
  ],
  ['the name of a tool', () => ({ text: '', toolCalls: [{ name: 'spam '.repeat(2 * MB), arguments: {} }] })],
  ['warnings', () => ({ text: 'x', warnings: Array.from({ length: 1_000_000 }, () => 'spam') })],
  ['vectors', () => ({ vectors: [Array.from({ length: 5_000_000 }, () => 0.5)] })],
])('%s that the code of a model of the owner gave may be too large', async (what, made) => {
  let times = 0;
  const give = (): Promise<never> => {
    times += 1;
    return Promise.resolve(made() as never);
  };
  const models = createModels([{ name: 'own', call: give, embed: give }], {});
  const common = { timeoutMs: 30_000, signal: new AbortController().signal };
  const error: Error = await (
    what === 'vectors'
      ? models.embed({ model: 'own', texts: ['a'], ...common })
      : models.call({ messages: [], ...common })
  ).then(
    () => new Error('no error'),
    (thrown: Error) => thrown,
  );
  expect(failureTypeOf(error)).toBe('ReplyTooLarge');
  expect(times).toBe(1);
  expect(models.circuitStates()).toEqual([expect.objectContaining({ state: 'closed', failures: 0 })]);
});
