import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { resultText } from '../../../src/apps/cli/views/result-view';
import { InvalidSpecError, ReflectionFailedError, RunFailedError } from '../../../src/loop/errors/errors';
import type { Json, JsonObject } from '../../../src/lib/json/json';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { defineAction } from '../../../src/worker';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { localAttempts } from '../../../testing/support/local-attempts';

const SCHEMA = {
  type: 'object',
  required: ['name', 'age'],
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
};

/** Answers one by one, in the order of the iterations; an Error is thrown. */
const answers = defineAction({
  name: 'answers',
  description: 'Gives the answer for the iteration.',
  input: z.object({ list: z.array(z.json()), failAt: z.number().optional() }),
  run: ({ list, failAt }, { iteration }) => {
    if (iteration === failAt) throw new Error('the pen broke');
    if (iteration > list.length) throw new Error('no answer left');
    return list[iteration - 1] as Json;
  },
});

/** What a step was shown, kept for the test to look at. */
const seen: JsonObject[] = [];

const repairs = defineAction({
  name: 'repairs',
  description: 'Adds what the errors ask for, one thing at a time.',
  input: z.unknown(),
  run: (_input, { state }): JsonObject => {
    seen.push(structuredClone(state));
    const output = state['reflection_output'] as JsonObject;
    return 'name' in output ? { ...output, age: 30 } : { ...output, name: 'Ada' };
  },
});

const advises = defineAction({
  name: 'advises',
  description: 'Says what to try next.',
  input: z.object({ says: z.json().default('think of the age') }),
  run: ({ says }) => says as Json,
});

const heeds = defineAction({
  name: 'heeds',
  description: 'Writes what the hint says.',
  input: z.unknown(),
  run: (_input, { state }): JsonObject => {
    seen.push(structuredClone(state));
    return state['reflection_hint'] === 'think of the age' ? { name: 'Ada', age: 30 } : { name: 'Ada' };
  },
});

describe('reflectionLoop on a real server', () => {
  let world: LoopWorld;

  beforeAll(async () => {
    world = await startWorld({ actions: [answers, repairs, advises, heeds] });
  });
  afterAll(() => world.close());
  beforeEach(() => seen.splice(0));

  const looped = (list: Json[], more: Partial<ReflectionSpec> = {}, failAt?: number): ReflectionSpec => ({
    generator: { action: 'answers', with: { list, ...(failAt === undefined ? {} : { failAt }) } },
    evaluator: { type: 'schema', schema: SCHEMA },
    ...more,
  });

  const bad = { name: 'Ada' };
  const good = { name: 'Ada', age: 30 };

  test('given a draft that passes, the run ends with it', async () => {
    const result = await world.client.run(looped([good]));
    expect(result).toMatchObject({
      success: true,
      exhausted: false,
      convergenceReason: 'quality_met',
      iterationsUsed: 1,
      finalOutput: good,
      bestOutput: good,
      finalEvaluation: { outcome: 'pass', overallScore: 1, satisfactory: true },
      history: { bestIteration: 1, finalIteration: 1, totalIterations: 1, people: [] },
    });
    expect(result.executionTime).toBeGreaterThan(0);
    expect(result.history.versions[0]).toMatchObject({ origin: 'draft', trigger: 'completion', iteration: 1 });
  });

  test('an action without a corrector runs again, and sees what was wrong', async () => {
    const result = await world.client.run(looped([bad, good]));
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    const [, second] = result.history.versions;
    expect(second).toMatchObject({ origin: 'regeneration', improvementsApplied: [expect.stringMatching(/age/)] });
  });

  test('a corrector in replace mode is shown the output and its errors', async () => {
    const spec = looped([{}], { corrector: { action: 'repairs' }, maxIterations: 5, state: { customer: 7 } });
    const result = await world.client.run(spec);
    expect(result).toMatchObject({ success: true, iterationsUsed: 3, finalOutput: good });
    expect(seen[0]).toMatchObject({
      customer: 7,
      reflection_iteration: 2,
      reflection_output: {},
      reflection_best_score: 0,
      reflection_errors: [expect.objectContaining({ message: expect.any(String) }), expect.anything()],
      reflection_history: [expect.objectContaining({ iteration: 1, valid: false })],
    });
    expect(seen[1]).toMatchObject({ reflection_iteration: 3, reflection_output: { name: 'Ada' } });
  });

  test('given a corrector in hint mode, the generator gets its hint', async () => {
    const spec: ReflectionSpec = looped([], { generator: { action: 'heeds' }, state: { topic: 'gulls' } });
    const result = await world.client.run({ ...spec, corrector: { action: 'advises', mode: 'hint' } });
    expect(result).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: good });
    expect(result.history.versions[1]!.origin).toBe('regeneration');
    expect(seen.map((state) => state['reflection_hint'])).toEqual([undefined, 'think of the age']);
    const says = { age: 7, topic: 'owls', reflection_iteration: 'mine', reflection_other: 'mine' };
    await world.client.run({
      ...spec,
      corrector: { action: 'advises', with: { says }, mode: 'hint' },
      maxIterations: 2,
    });
    expect(seen[2]).toMatchObject({ topic: 'gulls', reflection_iteration: 1 });
    expect(seen[3]).toMatchObject({ topic: 'owls', age: 7, reflection_iteration: 2, reflection_hint: says });
    expect(seen[3]).not.toHaveProperty('reflection_other');
  });

  test('a corrector that replaces a text by an object leaves a warning', async () => {
    const corrector = { action: 'answers', with: { list: [null, { name: 'Ada' }, good] } };
    const { history } = await world.client.run(looped(['a text'], { corrector, maxIterations: 3 }));
    const warned = [expect.stringContaining('the corrector made an object of a text')];
    expect(history.versions.map(({ warnings }) => warnings)).toEqual([[], warned, []]);
  });

  test('the circuit breaker: exactly maxIterations versions, the last one judged too', async () => {
    const result = await world.client.run(looped([bad, bad, bad, good]));
    expect(result).toMatchObject({
      success: false,
      exhausted: true,
      convergenceReason: 'max_iterations',
      iterationsUsed: 3,
    });
    expect(result.history.versions.map((version) => version.evaluation.outcome)).toEqual(['fail', 'fail', 'fail']);
  });

  test('one iteration means one version', async () => {
    const result = await world.client.run(looped([bad, good], { maxIterations: 1 }));
    expect(result).toMatchObject({ iterationsUsed: 1, convergenceReason: 'max_iterations' });
  });

  test('return_best hands back the version with most checks passed', async () => {
    const result = await world.client.run(looped([{}, bad, { age: 'old' }]));
    expect(result).toMatchObject({
      finalOutput: bad,
      bestOutput: bad,
      history: { bestIteration: 2, finalIteration: 2 },
    });
  });

  test('return_last hands back the last version', async () => {
    const result = await world.client.run(looped([bad, {}, { age: 'old' }] as Json[], { onFailure: 'return_last' }));
    expect(result).toMatchObject({ finalOutput: { age: 'old' }, bestOutput: bad });
  });

  test('raise fails the run with the whole history', async () => {
    const failing = world.client.run(looped([bad, {}], { onFailure: 'raise', maxIterations: 2 }));
    await expect(failing).rejects.toThrow(ReflectionFailedError);
    const error: ReflectionFailedError = await failing.catch((reason) => reason);
    expect(error.history).toEqual([
      {
        iteration: 1,
        output: bad,
        score: 0,
        valid: false,
        errors: [expect.objectContaining({ path: expect.any(String) })],
      },
      expect.objectContaining({ iteration: 2, output: {} }),
    ]);
  });

  test.each([
    ['highest_score', 1],
    ['latest', 2],
    ['first_satisfactory', 1],
    ['weighted_recency', 1],
  ] as const)('selection %s', async (bestVersionSelection, expected) => {
    const result = await world.client.run(looped([bad, {}], { bestVersionSelection, maxIterations: 2 }));
    expect(result.history.bestIteration).toBe(expected);
  });

  test('JSON in prose is read, coerced, and becomes the output', async () => {
    const reply = 'Here you are:\n```json\n{"name": "Ada", "age": "30"}\n```\nAnything else?';
    const result = await world.client.run(looped([reply]));
    expect(result).toMatchObject({ success: true, finalOutput: good });
    expect(result.history.versions[0]!.output).toEqual(good);
  });

  test('a generator that fails in the draft fails the run, naming step and iteration', async () => {
    const failing = world.client.run(looped([bad], {}, 1));
    await expect(failing).rejects.toThrow(RunFailedError);
    await expect(failing).rejects.toMatchObject({
      type: 'StepFailed',
      message: expect.stringMatching(/generator failed in iteration 1: .*the pen broke/),
      details: [{ step: 'generator', iteration: 1 }],
    });
  });

  test('a failure after the draft ends the run with reason `error` and the best version', async () => {
    const result = await world.client.run(looped([bad], {}, 2));
    expect(result).toMatchObject({ success: false, convergenceReason: 'error', iterationsUsed: 1, finalOutput: bad });
    const message = expect.stringMatching(/generator failed in iteration 2: .*the pen broke/);
    expect(result.failure).toEqual({ type: 'StepFailed', message });
    expect(stripVTControlCharacters(resultText(result))).toMatch(/StepFailed: The generator failed in iteration 2/);
  });

  test('a later failure under raise is a ReflectionFailedError that names it', async () => {
    const failing = world.client.run(looped([bad], { onFailure: 'raise' }, 2));
    await expect(failing).rejects.toThrow(/iteration 2: .*the pen broke/);
    await expect(failing).rejects.toMatchObject({ type: 'ReflectionFailedError' });
  });

  test('preserveAllVersions: false returns the best and the final version only', async () => {
    const list: Json[] = [{}, bad, { age: 'old' }];
    const spec = looped(list, { preserveAllVersions: false, onFailure: 'return_last' });
    const { history } = await world.client.run(spec);
    expect(history.versions.map((version) => version.iteration)).toEqual([2, 3]);
    expect(history.totalIterations).toBe(3);
  });

  test('several evaluators: one fail makes fail, the score is the weighted mean', async () => {
    const result = await world.client.run(
      looped([bad], {
        evaluator: [
          { type: 'schema', name: 'shape', schema: SCHEMA, weight: 1 },
          { type: 'schema', name: 'object', schema: { type: 'object' }, weight: 3 },
        ],
        maxIterations: 1,
      }),
    );
    expect(result.finalEvaluation).toMatchObject({ outcome: 'fail', overallScore: 0.75 });
    expect(result.finalEvaluation!.evaluators.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['shape', 'fail'],
      ['object', 'pass'],
    ]);
  });

  test('history has every version; best names one of them', async () => {
    const { workflowId } = await world.client.start(looped([bad, {}, bad]));
    await world.client.result(workflowId);
    const versions = await world.client.history(workflowId);
    expect(versions.map(({ iteration, output }) => [iteration, output])).toEqual([
      [1, bad],
      [2, {}],
      [3, bad],
    ]);
    expect(await world.client.best(workflowId)).toMatchObject({ iteration: 1 });
  });

  test('the client refuses a malformed spec at once, with the path of each mistake', async () => {
    const spec = { generator: { action: 'answers' }, evaluator: { type: 'magic' }, maxIterations: 0, colour: 'red' };
    const failing = world.client.start(spec as unknown as ReflectionSpec);
    await expect(failing).rejects.toThrow(InvalidSpecError);
    await expect(failing).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ path: '/evaluator/type' }),
        expect.objectContaining({ path: '/maxIterations' }),
        expect.objectContaining({ path: '/colour', message: 'unknown field' }),
      ]),
    });
  });

  test('a workflow started with a bad spec by any client fails at once as InvalidSpec, naming all mistakes', async () => {
    const handle = await world.client.temporal.workflow.start('reflectionLoop', {
      taskQueue: world.client.taskQueue,
      workflowId: `bad-${Date.now()}`,
      args: [
        { generator: { action: 'answers' }, evaluator: { type: 'schema', schema: { type: 'nothing' } }, colour: 1 },
      ],
    });
    await expect(world.client.result(handle.workflowId)).rejects.toMatchObject({
      type: 'InvalidSpec',
      problems: expect.arrayContaining([expect.objectContaining({ path: '/colour', message: 'unknown field' })]),
    });
    // At once: nothing was tried again.
    expect(await localAttempts(handle)).toEqual([1]);
  });

  test('an unknown action is named before anything is paid for', async () => {
    const failing = world.client.run({
      generator: { action: 'nobody' },
      evaluator: { type: 'schema', schema: SCHEMA },
    });
    await expect(failing).rejects.toMatchObject({ type: 'UnknownAction', message: expect.stringMatching(/nobody/) });
  });
});
