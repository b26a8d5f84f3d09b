import { createActionRegistry } from '../../src/actions/registry';
import { prepareSpec } from '../../src/activities/prepare/prepare';
import type { Json, JsonObject } from '../../src/lib/json/json';
import { createModels } from '../../src/lib/models';
import { readyThreads } from './ready-threads';
import { expectWithin } from '../../testing/support/processor-time';

const dependencies = {
  models: createModels([], {}),
  actions: createActionRegistry([]),
  searchAttributes: () => Promise.resolve(true),
};
const listed = <T>(size: number, make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));

/** Each is another one, so that each is compiled. */
const schema = (at: string): JsonObject => ({
  properties: Object.fromEntries(listed(490, (each) => [`p${at}_${each}`, { type: 'string' }])),
});
let specs = 0;
const generator = { action: 'llm.call', prompt: 'x' };

beforeAll(readyThreads);

describe('specs whose parts are each within their limits, and too much together', () => {
  test.each<[string, (spec: number) => JsonObject]>([
    [
      'schemas',
      (spec) => ({
        generator,
        evaluator: listed(40, (at) => ({ type: 'schema', schema: schema(`${spec}_${at}`), name: `${at}` })),
      }),
    ],
    [
      'templates',
      (spec) => ({
        generator: {
          ...generator,
          messages: listed(40, (at): Json => ({ role: 'user', content: `{{${' '.repeat(45_000 + 40 * spec + at)}}}` })),
        },
        evaluator: { type: 'llm' },
      }),
    ],
  ])(
    'many large %s are refused within a second of a processor',
    async (_name, specOf) => {
      const failure: unknown = await expectWithin(2_500, () =>
        prepareSpec(specOf(++specs), dependencies).catch((error: unknown) => error),
      );
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
      const small = { generator, evaluator: { type: 'schema', schema: schema('small') } };
      expect(await prepareSpec(small, dependencies)).toHaveProperty('settings');
    },
    60_000,
  );
});
