import { z } from 'zod';
import { defineAction } from '../../src/actions/define-action';
import type { Json, JsonObject } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { eventually } from '../../testing/support/eventually';
import { MainThreadWatch } from '../../testing/support/main-thread';
import { inScriptedWorld } from '../../testing/support/scripted-world';

/** Milliseconds of a processor that the event loop may be held for: the SDK and the garbage collector have their share of it. */
const LONGEST_STALL_MS = 250;
const CALL_MS = 3_000;

const listed = <T>(size: number, make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));
const drafts: Record<string, Json> = {
  letters: `${'a'.repeat(40)}!`,
  large: 'x y, '.repeat(200_000),
  'wrong keys': Object.fromEntries(listed(60_000, (at) => [`key ${at}`, at])),
  fences: '```json\n{"a": 1\n'.repeat(60_000),
  brackets: '[{'.repeat(900_000),
  list: listed(40_000, (at) => ({ at: `${at}` })),
};
/** Gives the draft that is named. */
const draft = defineAction({
  name: 'draft',
  description: 'Gives a draft.',
  input: z.object({ name: z.string() }),
  run: ({ name }) => drafts[name]!,
});
const written = (name: string): JsonObject => ({ action: 'draft', with: { name } });

const endless = '{% for a in range(10000) %}{% for b in range(10000) %}{{ a }}{% endfor %}{% endfor %}';
const within = '{% for a in range(150) %}{% for b in range(150) %}{{ a * b }}{% endfor %}{% endfor %}';

const HOSTILE: [string, JsonObject[]][] = [
  [
    '40 schemas with a slow pattern',
    [
      {
        generator: written('letters'),
        evaluator: listed(40, (at) => ({
          type: 'schema',
          name: `s${at}`,
          schema: { type: 'string', pattern: `^(?=(a+)+$)${'(?:)'.repeat(at)}` },
        })),
      },
    ],
  ],
  [
    '20 prompts of judges that never end',
    [
      {
        generator: written('letters'),
        evaluator: listed(20, (at) => ({ type: 'llm', name: `j${at}`, prompt: `${at} ${endless}` })),
      },
    ],
  ],
  [
    '20 prompts of judges that take long',
    [
      {
        generator: written('letters'),
        evaluator: listed(20, (at) => ({ type: 'llm', name: `j${at}`, prompt: `${at} ${within}` })),
      },
    ],
  ],
  [
    '30 runs with an endless template',
    listed(30, (at) => ({ generator: { action: 'llm.call', prompt: `${at} ${endless}` }, evaluator: { type: 'llm' } })),
  ],
  [
    '100 patterns',
    [
      {
        generator: written('large'),
        evaluator: listed(100, (at) => ({ type: 'regex', name: `r${at}`, pattern: `[\\p{L}\\p{N}]{${500 + at}}` })),
      },
    ],
  ],
  [
    '40 patterns and a draft of 1 MB',
    [
      {
        generator: written('large'),
        evaluator: listed(40, (at) => ({ type: 'regex', name: `r${at}`, pattern: `[\\p{L}\\p{N}]{${20 + at}}` })),
      },
    ],
  ],
  [
    '100 schemas of 440 rules',
    [
      {
        generator: written('letters'),
        evaluator: listed(100, (at) => ({
          type: 'schema',
          name: `s${at}`,
          schema: { properties: Object.fromEntries(listed(215, (each) => [`p${at} ${each}`, { type: 'string' }])) },
        })),
      },
    ],
  ],
  ...['wrong keys', 'fences', 'brackets', 'list'].map((name): [string, JsonObject[]] => [
    `a draft that takes long to be read: ${name}`,
    [
      {
        generator: written(name),
        evaluator: { type: 'schema', schema: { additionalProperties: { type: 'string' }, required: ['title'] } },
      },
    ],
  ]),
  ...['fences', 'list'].map((name): [string, JsonObject[]] => [
    `a draft that takes long to be compared: ${name}`,
    [
      {
        generator: written(name),
        evaluator: { type: 'comparison', against: 'reference', method: 'similarity', reference: 'y'.repeat(100_000) },
      },
    ],
  ]),
  [
    '1,000 messages that are templates',
    [
      {
        generator: {
          action: 'llm.call',
          messages: listed(1_000, (at) => ({ role: 'user', content: `${at} {{ state.reflection_iteration }}` })),
        },
        evaluator: { type: 'schema', schema: { type: 'string' } },
      },
    ],
  ],
];

const harmless: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'A harmless run.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

/** One of each kind: with `fast`, a call whose worker stands still for less than a second is made again. */
const OF_EACH_KIND = [
  '40 schemas with a slow pattern',
  '30 runs with an endless template',
  '100 schemas of 440 rules',
  'a draft that takes long to be read: wrong keys',
  'a draft that takes long to be read: brackets',
  '1,000 messages that are templates',
];
const CASES = [
  ...HOSTILE.map(([name, specs]) => ['steady', name, specs] as const),
  ...HOSTILE.filter(([name]) => OF_EACH_KIND.includes(name)).map(([name, specs]) => ['fast', name, specs] as const),
];

describe('a run beside hostile ones', () => {
  test('of each kind there is one', () => {
    expect(CASES.filter(([profile]) => profile === 'fast')).toHaveLength(OF_EACH_KIND.length);
  });

  test.each(CASES)(
    'is not held up, and makes its call once, with the profile %s: %s',
    async (recovery, name, specs) => {
      const script = [
        { match: 'A harmless run', delayMs: CALL_MS, reply: { done: true }, times: 'always' as const },
        { reply: { valid: true, score: 1 }, times: 'always' as const },
      ];
      await inScriptedWorld({ actions: [draft], recovery }, script, async ({ client, model }) => {
        const calls = () => requestsOf(model.ledger).filter(({ body }) => /A harmless run/.test(JSON.stringify(body)));
        const { workflowId } = await client.start(harmless);
        await eventually(calls, ({ length }) => length === 1);
        const watch = new MainThreadWatch();
        const hostile = specs.map(async (spec) =>
          client.run({ maxIterations: 1, ...spec } as unknown as ReflectionSpec).catch((error: unknown) => error),
        );
        expect(await client.result(workflowId)).toMatchObject({ success: true, tokenUsage: { modelCalls: 1 } });
        await Promise.all(hostile);
        const stall = watch.stop();
        process.stdout.write(`${recovery}, ${name}: ${stall} ms\n`);
        expect(calls()).toHaveLength(1);
        expect(stall).toBeLessThan(LONGEST_STALL_MS);
      });
    },
    120_000,
  );
});
