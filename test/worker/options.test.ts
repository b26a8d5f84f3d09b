import { ReflectionClient } from '../../src/client';
import { InvalidConfigError } from '../../src/loop/errors/errors';
import { createWorker, ReflectionPlugin } from '../../src/worker';

/** Options as JavaScript may give them. */
type Options = Record<string, unknown>;

const MAKERS: Record<string, (options: Options) => Promise<unknown>> = {
  createWorker,
  ReflectionPlugin: async (options) => new ReflectionPlugin(options),
  'ReflectionClient.connect': (options) => ReflectionClient.connect(options),
};

test.each<[maker: string, options: Options, path: string, message: RegExp]>([
  ['createWorker', { taskQue: 'a' }, '/taskQue', /did you mean taskQueue\?/],
  ['createWorker', { acions: [] }, '/acions', /did you mean actions\?/],
  ['createWorker', { nothing_like_it: 1 }, '/nothing_like_it', /unknown field/],
  ['createWorker', { taskQueue: 7 }, '/taskQueue', /a text/],
  ['createWorker', { keepPrompts: 'false' }, '/keepPrompts', /true or false/],
  ['createWorker', { drainMs: '30s' }, '/drainMs', /a number/],
  ['createWorker', { notify: { ur: 'https://a.example' } }, '/notify/ur', /did you mean url\?/],
  ['ReflectionPlugin', { acions: [] }, '/acions', /did you mean actions\?/],
  ['ReflectionPlugin', { taskQueue: 'a' }, '/taskQueue', /unknown field/],
  ['ReflectionPlugin', { drainMS: 5 }, '/drainMS', /did you mean drainMs\?/],
  ['ReflectionClient.connect', { adress: 'localhost:7233' }, '/adress', /did you mean address\?/],
  ['ReflectionClient.connect', { taskqueue: 'a' }, '/taskqueue', /did you mean taskQueue\?/],
])('%s refuses %j and names the nearest option', async (maker, options, path, message) => {
  const refused = await MAKERS[maker]!(options).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InvalidConfigError);
  expect((refused as InvalidConfigError).problems[0]).toEqual({ path, message: expect.stringMatching(message) });
});

test('options that are undefined, or written with underscores, are those that they name', async () => {
  expect(() => new ReflectionPlugin({ drain_ms: 5, actions: undefined } as object)).not.toThrow();
});

test('a worker whose private addresses are allowed by a text is refused: "false" would allow them', async () => {
  const externalCalls = { allowPrivateAddresses: 'false' as unknown as boolean };
  expect(() => new ReflectionPlugin({ externalCalls })).toThrow(/allowPrivateAddresses must be true or false/);
});
