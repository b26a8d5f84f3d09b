import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

/** What the service is sent, and what it answers. */
const posted: Json[] = [];
const replies: [number, Json][] = [];

const COUNT_WORDS = `let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const words = JSON.parse(text).output.split(' ').length;
  console.log(JSON.stringify([words >= 3, words + ' words are too few']));
});`;

/** Everything that the registered check was called with. */
const asked: Json[] = [];
let outages = 0;

const actions = [
  defineAction({
    name: 'answers',
    description: 'Gives the answer for the iteration.',
    input: z.object({ list: z.array(z.json()) }),
    run: ({ list }, { iteration }) => list[iteration - 1] ?? list.at(-1) ?? null,
  }),
  defineAction({
    name: 'long-enough',
    description: 'Wants a number of words.',
    input: z.object({ output: z.string(), words: z.number().default(3) }),
    run: ({ output, words }, { state, iteration, task }) => {
      asked.push({ output, seen: state['reflection_output']!, topic: state['topic']!, iteration, task: task! });
      const count = output.split(/\s+/).length;
      return [count >= words, `it has ${count} words, and ${words} are needed`];
    },
  }),
  defineAction({
    name: 'away-at-first',
    description: 'Fails once in a way that passes.',
    input: z.unknown(),
    run: () => {
      outages += 1;
      if (outages === 1) throw ApplicationFailure.create({ message: 'the service is away', nextRetryDelay: 50 });
      return 0.9;
    },
  }),
  defineAction({ name: 'says-eight', description: 'Is on another scale.', input: z.unknown(), run: () => 8 }),
  defineAction({
    name: 'breaks',
    description: 'Throws what nobody expects.',
    input: z.unknown(),
    run: () => {
      throw new Error('cannot reach sk-abcdef123456');
    },
  }),
  defineAction({
    name: 'hangs',
    description: 'Waits for ever, and does not look at its signal.',
    input: z.unknown(),
    run: async () => {
      await sleep(600_000, undefined, { ref: false });
      return true;
    },
  }),
];

const spec = (evaluator: ReflectionSpec['evaluator'], more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  task: 'About {{ state.topic }}',
  state: { topic: '{{ rain }}', list: ['short', 'it is {{ long }} enough'] },
  generator: { action: 'answers', with: { list: '{{ state.list }}' } },
  evaluator,
  ...more,
});

describe('checks that are no judges', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;
  let service: Server;
  beforeAll(async () => {
    model = await ScriptedOpenAI.start({ script: [{ match: 'judge', reply: { valid: true, score: 0.6 } }] });
    service = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        posted.push(JSON.parse(text) as Json);
        const [status, answer] = replies.shift() ?? [404, 'nothing was expected'];
        response.writeHead(status, { 'retry-after': '0.05' }).end(JSON.stringify(answer));
      });
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    world = await startWorld({
      actions,
      models: [{ name: 'm', model: 'm-1', baseUrl: model.baseUrl }],
      externalCalls: { allowPrivateAddresses: true },
      commands: { words: { command: process.execPath, args: ['-e', COUNT_WORDS] } },
    });
  });
  afterAll(async () => {
    await world.close();
    await model.close();
    service.close();
  });

  test('an action that returns (boolean, text) judges: its text is the issue that the next version repairs', async () => {
    const result = await world.client.run(spec({ type: 'function', action: 'long-enough' }));
    expect(result).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: 'it is {{ long }} enough' });
    const [first, second] = result.history.versions;
    expect(first!.evaluation).toMatchObject({
      outcome: 'fail',
      overallScore: 0,
      issues: [{ message: 'it has 1 words, and 3 are needed', evaluator: 'function' }],
    });
    expect(second!.improvementsApplied).toEqual(['it has 1 words, and 3 are needed']);
    // What looks like a template in state, task or output is never rendered.
    expect(asked).toEqual([
      { output: 'short', seen: 'short', topic: '{{ rain }}', iteration: 1, task: 'About {{ rain }}' },
      expect.objectContaining({ output: 'it is {{ long }} enough', seen: 'it is {{ long }} enough', iteration: 2 }),
    ]);
    const handle = world.client.temporal.workflow.getHandle((await lastRun()).workflowId);
    const { events } = await handle.fetchHistory();
    const scheduled = events!.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
    expect(scheduled.filter(({ activityType }) => activityType?.name === 'reflection.evaluate').map(queueOf)).toEqual([
      world.worker.taskQueue,
      world.worker.taskQueue,
    ]);
  });

  test('a check that fails again with another number is the same issue: nothing was applied', async () => {
    const list = ['short', 'two words', 'it is now long'];
    const result = await world.client.run(
      spec({ type: 'function', action: 'long-enough' }, { state: { topic: 'rain', list }, maxIterations: 3 }),
    );
    expect(result.history.versions.map(({ improvementsApplied }) => improvementsApplied)).toEqual([
      [],
      [],
      ['it has 2 words, and 3 are needed'],
    ]);
    expect(result.report.issues).toMatchObject([
      { message: 'it has 1 words, and 3 are needed', firstSeen: 1, lastSeen: 2, fate: 'resolved' },
    ]);
  });

  test('deterministic and free ones first: a gate of theirs spares the judge, and weights count', async () => {
    const judge = { type: 'llm', prompt: 'judge', weight: 3 } as const;
    const gate = { type: 'function', action: 'long-enough', gate: true } as const;
    const result = await world.client.run(
      spec([judge, gate, { type: 'regex', pattern: 'nothing', mustMatch: false, weight: 2 }], {
        model: 'm',
        maxIterations: 2,
      }),
    );
    const [first, second] = result.history.versions.map(({ evaluation }) => evaluation);
    expect(first!.evaluators.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['function', 'fail'],
      ['regex', 'pass'],
    ]);
    expect(second!.evaluators.map(({ name, score }) => [name, score])).toEqual([
      ['llm', 0.6],
      ['function', 1],
      ['regex', 1],
    ]);
    expect(second!.overallScore).toBeCloseTo((3 * 0.6 + 1 + 2) / 6, 10);
    expect(requestsOf(model.ledger)).toHaveLength(1);
  });

  test('a failure that passes is tried again; any other, and what is no judgement, is inconclusive', async () => {
    const away = await world.client.run(spec({ type: 'function', action: 'away-at-first' }));
    expect(away).toMatchObject({ success: true, finalEvaluation: { overallScore: 0.9 } });
    expect(outages).toBe(2);
    const [eight, broken, hanging] = await Promise.all([
      world.client.run(spec({ type: 'function', action: 'says-eight' })),
      world.client.run(spec({ type: 'function', action: 'breaks' })),
      world.client.run(spec({ type: 'function', action: 'hangs' }, { timeouts: { step: '200ms' } })),
    ]);
    expect([eight, broken, hanging].map(({ convergenceReason }) => convergenceReason)).toEqual([
      'blocked',
      'blocked',
      'blocked',
    ]);
    expect(eight.finalEvaluation).toMatchObject({ outcome: 'inconclusive', overallScore: null });
    expect(eight.finalEvaluation!.reason).toMatch(/returned 8, which is not between 0 and 1/);
    expect(broken.finalEvaluation!.reason).toMatch(
      /failed at workflows\/checks\.test\.ts:\d+: cannot reach \[redacted\]/,
    );
    expect(hanging.finalEvaluation!.reason).toMatch(/did not answer within 200 ms/);
  }, 20_000);

  test('a service and a command judge; a service that is away is tried again, one that refuses is inconclusive', async () => {
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/check`;
    replies.push([503, 'starting'], [200, { valid: false, errors: ['too short'] }], [200, 0.9]);
    const result = await world.client.run(
      spec([
        { type: 'external', url },
        { type: 'external', command: 'words' },
      ]),
    );
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    const [first, second] = result.history.versions.map(({ evaluation }) => evaluation);
    expect(first!.issues.map(({ message }) => message)).toEqual(['too short', '1 words are too few']);
    expect(second!.evaluators.map(({ score }) => score)).toEqual([0.9, 1]);
    const { list } = spec([]).state!;
    const state = { topic: '{{ rain }}', list, reflection_iteration: 1, reflection_errors: [], reflection_history: [] };
    expect(posted[0]).toEqual({
      output: 'short',
      task: 'About {{ rain }}',
      state: { ...state, reflection_best_score: null },
    });
    expect(posted).toHaveLength(3);

    replies.push([403, 'no'], [403, 'no']);
    const refused = await world.client.run(spec({ type: 'external', url }));
    expect(refused).toMatchObject({ convergenceReason: 'blocked', finalEvaluation: { overallScore: null } });
    expect(refused.finalEvaluation!.reason).toMatch(/answered 403: "no"/);
    expect(replies).toEqual([]);
  }, 20_000);

  test('what no worker has, and a pattern that cannot be used, is refused before anything runs', async () => {
    await expect(world.client.run(spec({ type: 'function', action: 'nobody' }))).rejects.toMatchObject({
      type: 'UnknownAction',
    });
    await expect(
      world.client.run(
        spec([
          { type: 'regex', pattern: '(?=x)' },
          { type: 'function', action: 'long-enough', with: '{{' },
          { type: 'external', url: 'http://u:p@example.com' },
          { type: 'external', command: 'rm' },
        ]),
      ),
    ).rejects.toMatchObject({
      type: 'InvalidSpec',
      problems: [
        { path: '/evaluator/0/pattern' },
        { path: '/evaluator/1/with' },
        { path: '/evaluator/2/url' },
        { path: '/evaluator/3/command' },
      ],
    });
  });

  async function lastRun(): Promise<{ workflowId: string }> {
    for await (const run of world.client.temporal.workflow.list({ query: `TaskQueue = '${world.worker.taskQueue}'` }))
      return run;
    throw new Error('there is no run');
  }
});

function queueOf({ taskQueue }: { taskQueue?: { name?: string | null } | null }): string | null | undefined {
  return taskQueue?.name;
}
