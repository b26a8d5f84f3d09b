import { defaultCacheDirectory, findTemporalCli } from '../../src/apps/server';
import type { JsonObject } from '../../src/lib/json/json';
import { allCases, SHORT } from '../../testing/limits/all-cases';
import { sizedFields } from '../../testing/limits/fields';
import { Instances } from '../../testing/limits/instances';
import type { RunFacts } from '../../testing/limits/histories';
import type { LimitCase } from '../../testing/limits/limit-case';
import { playCase } from '../../testing/limits/play';
import { smallestFailing } from '../../testing/limits/smallest';
import { reproduction, shortened } from '../../testing/limits/report';
import { violationsIn } from '../../testing/limits/judge';
import type { SchemaNode } from '../../testing/limits/schema-node';
import { judgeSees, limitsNotInForce } from '../../testing/limits/server-probes';
import { Fleet } from '../../testing/limits/shared-workers';
import { startLimitsWorld } from '../../testing/limits/world';

const surroundings = { judgeUrl: 'http://127.0.0.1:1/' };
const TAKES_LONG = { action: 'waits', with: { milliseconds: 30_000 } };
const selection = { short: false, seed: 7, pairs: 20, generated: 30 };

describe('the fields of a shape', () => {
  const shape: SchemaNode = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: 12 },
      colour: { enum: ['red', 'blue'] },
      parts: {
        type: 'array',
        maxItems: 4,
        items: {
          anyOf: [
            { type: 'integer', maximum: 9 },
            { type: 'object', properties: { note: { type: 'string' } } },
          ],
        },
      },
    },
  };
  const found = sizedFields(shape);

  test('each size and count is found, with its maximum where there is one', () => {
    expect(found.map(({ name, maximum }) => [name, maximum])).toEqual([
      ['name', 12],
      ['parts', 4],
      ['parts[](number)', 9],
      ['parts[](note).note', undefined],
    ]);
  });

  test('a value has one field at its maximum, and what the field needs', () => {
    const instances = new Instances(surroundings);
    const [name, parts, number, note] = found.map((field) => instances.atMaximum(shape, field));
    expect(name).toEqual({ name: expect.stringMatching(/^.{12}$/) });
    expect((parts as { parts: unknown[] }).parts).toHaveLength(4);
    expect(number).toMatchObject({ parts: [9] });
    expect((note as { parts: { note: string }[] }).parts[0]!.note.length).toBeGreaterThan(1_000_000);
  });
});

describe('the cases', () => {
  const cases = allCases(selection, surroundings);
  const text = (all: typeof cases, kind: string) =>
    all.filter(({ name }) => name.startsWith(kind)).map(({ name, argument }) => [name, JSON.stringify(argument)]);

  test('are the same for the same seed, and have names of their own', () => {
    const again = allCases({ ...selection, kind: 'generated' }, surroundings);
    expect(text(again, 'generated')).toEqual(text(cases, 'generated'));
    const names = cases.map(({ name }) => name);
    for (const kind of ['generated', 'pair']) {
      const namesAgain = allCases({ ...selection, kind }, surroundings).map(({ name }) => name);
      expect(namesAgain).toEqual(names.filter((name) => name.startsWith(kind)));
    }
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('are of every workflow type, and those that CI runs are there', () => {
    expect(new Set(cases.map(({ workflow }) => workflow)).size).toBe(7);
    expect([...SHORT].filter((name) => !cases.some((one) => one.name === name))).toEqual([]);
    expect(allCases({ ...selection, short: true }, surroundings)).toHaveLength(SHORT.size);
  });
});

describe('a generated spec that fails', () => {
  const cases = allCases({ ...selection, generated: 200, kind: 'generated reflectionLoop' }, surroundings);
  const fails = async (spec: JsonObject) => (spec['review'] === undefined ? undefined : 'it has a review');

  test('is told with its seed and with the smallest spec that fails for the same reason', async () => {
    const one = cases.find(({ argument }) => (argument as JsonObject)['review'] !== undefined)!;
    const { origin, argument } = one;
    const seen: JsonObject[] = [];
    const watched = async (spec: JsonObject) => {
      seen.push(spec);
      return fails(spec);
    };
    const smallest = (await smallestFailing(origin!, watched, 20_000))!;
    // The first that is tried is the one that failed.
    expect(seen[0]).toEqual(argument);
    expect(smallest).toMatchObject({ spec: { review: expect.anything() }, why: 'it has a review' });
    expect(JSON.stringify(smallest.spec).length).toBeLessThanOrEqual(JSON.stringify(argument).length);
    const told = reproduction(one, { smallest }, ' --seed 7');
    expect(told).toContain(`again: npm run limits -- --case '${one.name}' --seed 7`);
    expect(told).toContain(`seed 7, path ${smallest.path}: the smallest that fails, for "it has a review"`);
    expect(told).toContain(shortened(smallest.spec));
  }, 30_000);

  test('that does not fail again is told as such', async () => {
    expect(await smallestFailing(cases[0]!.origin!, async () => undefined, 20_000)).toBeUndefined();
    expect(reproduction(cases[0]!, {}, '')).toContain('seed 7: it did not fail again');
  });
});

describe('the judge', () => {
  const facts: RunFacts = {
    workflowId: 'w',
    runId: 'r',
    type: 'reflectionLoop',
    end: { status: 'completed', result: 1 },
    events: 1,
    bytes: 1,
    failedTasks: [],
    closedTasks: 0,
    attempts: 1,
    children: [],
  };
  const violations = (more: Partial<RunFacts>): string[] => violationsIn([{ ...facts, ...more }], () => undefined);

  test.each<[string, Partial<RunFacts>, RegExp]>([
    ['two failed tasks', { failedTasks: ['TIMED_OUT', 'TIMED_OUT'] }, /failed 2 times: TIMED_OUT/],
    ['a task at its third attempt', { attempts: 3 }, /failed 2 times/],
    ['a run that the server ended', { end: { status: 'terminated', message: 'too large' } }, /terminated: too large/],
    ['a run that ran out of time', { end: { status: 'timed out', message: '' } }, /timed out/],
    ['a failure of no known type', { end: { status: 'failed', type: 'TypeError', message: 'x' } }, /type TypeError/],
    ['a run that goes on', { end: { status: 'running' } }, /has not ended/],
  ])('finds %s', (_name, more, words) => {
    expect(violations(more)).toEqual([expect.stringMatching(words)]);
  });

  test('takes a result, a typed error and a task that failed once', () => {
    const typed = { status: 'failed', type: 'OutputTooLarge', message: 'x' } as const;
    expect([violations({}), violations({ end: typed }), violations({ failedTasks: ['TIMED_OUT'] })]).toEqual([
      [],
      [],
      [],
    ]);
    expect(violationsIn([facts], () => '/success is missing')).toEqual([expect.stringMatching('/success is missing')]);
  });

  test('takes tasks that the server closed because of what came meanwhile', () => {
    expect([violations({ closedTasks: 4, attempts: 5 }), violations({ closedTasks: 4, attempts: 8 })]).toEqual([
      [],
      [expect.stringMatching(/failed 3 times/)],
    ]);
  });

  test('takes a late task for each time that the worker was killed, and no other failure', () => {
    const killed = (more: Partial<RunFacts>): string[] => violationsIn([{ ...facts, ...more }], () => undefined, 2);
    const late = ['TIMED_OUT', 'TIMED_OUT'];
    expect(killed({ failedTasks: late, attempts: 3 })).toEqual([]);
    expect(killed({ failedTasks: [...late, 'TIMED_OUT', 'TIMED_OUT'], attempts: 5 })).toEqual([
      expect.stringMatching(/failed 2 times: TIMED_OUT/),
    ]);
    expect(killed({ failedTasks: ['NON_DETERMINISTIC_ERROR', 'NON_DETERMINISTIC_ERROR'], attempts: 3 })).toEqual([
      expect.stringMatching(/NON_DETERMINISTIC_ERROR/),
    ]);
  });

  test('finds what a child did', () => {
    const child: RunFacts = { ...facts, workflowId: 'w/child', end: { status: 'terminated', message: 'x' } };
    expect(violationsIn([facts, child], () => undefined)).toEqual(['its child reflectionLoop: terminated: x']);
  });
});

describe('on a server with the limits of production', () => {
  test('limits are in force, a laxer one is noticed, and the judge sees broken and terminated workflows', async () => {
    const { path: cli } = await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
    const world = await startLimitsWorld(cli, { settings: ['limit.numPendingActivities.error=5000'] });
    try {
      const fleet = await Fleet.start(world);
      expect(await limitsNotInForce(world, fleet)).toEqual([expect.stringMatching(/^2,000 pending activities: /)]);
      expect(await judgeSees(world, fleet.taskQueue)).toEqual({
        broken: [expect.stringMatching(/failed \d+ times/), expect.stringMatching(/has not ended/)],
        terminated: [expect.stringMatching(/terminated: somebody ended it/)],
        well: [],
      });
      // A loop that waits for a person does not end by itself.
      const review = { when: 'on_exhausted', timeout: '1h' };
      const argument = {
        generator: { action: 'makes' },
        evaluator: { type: 'function', action: 'judges', with: {} },
        review,
      };
      const waiting: LimitCase = { name: 'waiting', workflow: 'reflectionLoop', argument, seconds: 5 };
      const played = await Promise.all([
        playCase(waiting, world, fleet),
        playCase({ ...waiting, waitsForPerson: true }, world, fleet),
        playCase({ ...waiting, argument: { ...argument, generator: TAKES_LONG }, waitsForPerson: true }, world, fleet),
      ]);
      expect(played.map(({ violations }) => violations)).toEqual([
        ['it has not ended after 5 s'],
        [],
        ['it has not ended after 5 s'],
      ]);
      expect(played.map(({ outcome }) => outcome)).toEqual(played.map(() => 'aborted (told to end)'));
      expect(fleet.worker.deaths).toBe(0);
    } finally {
      await world.close();
    }
  }, 240_000);
});
