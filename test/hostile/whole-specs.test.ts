import { createActionRegistry } from '../../src/actions/registry';
import { prepareSpec } from '../../src/activities/prepare/prepare';
import type { Json, JsonObject } from '../../src/lib/json/json';
import { createModels } from '../../src/lib/models';
import { readyThreads } from './ready-threads';
import { ProcessorTime } from '../../testing/support/processor-time';

const dependencies = {
  models: createModels([], {}),
  actions: createActionRegistry([]),
  searchAttributes: () => Promise.resolve(true),
};
const listed = <T>(size: number, make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));

/** Its kind, so that each is compiled. */
const schema = (at: number): JsonObject => ({
  properties: Object.fromEntries(listed(490, (each) => [`p${at}_${each}`, { type: 'string' }])),
});
const generator = { action: 'llm.call', prompt: 'x' };

beforeAll(readyThreads);

describe('specs whose parts are each within their limits, and too much together', () => {
  test.each<[string, JsonObject]>([
    ['schemas', { generator, evaluator: listed(40, (at) => ({ type: 'schema', schema: schema(at), name: `${at}` })) }],
    [
      'templates',
      {
        generator: {
          ...generator,
          messages: listed(40, (at): Json => ({ role: 'user', content: `{{${' '.repeat(45_000 + at)}}}` })),
        },
        evaluator: { type: 'llm' },
      },
    ],
  ])('many large %s are refused within a second of a processor', async (_name, spec) => {
    const time = new ProcessorTime();
    const failure: unknown = await prepareSpec(spec, dependencies).catch((error: unknown) => error);
    expect(time.ms).toBeLessThan(2_500);
    expect(failure).toMatchObject({
      type: 'InvalidSpec',
      nonRetryable: true,
      message: expect.stringMatching(
        /took longer than \d+ ms: its schemas and templates are too large together/,
      ) as string,
      // It says at which part the time was over.
      details: [[{ path: expect.stringMatching(/^\/(?:evaluator\/\d+|generator)/) as string }]],
    });
    // Nothing half done is left.
    const small = { generator, evaluator: { type: 'schema', schema: schema(0) } };
    expect(await prepareSpec(small, dependencies)).toHaveProperty('settings');
  });
});
