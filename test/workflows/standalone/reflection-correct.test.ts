import type { CorrectionRequest } from '../../../src/loop/contract/requests';
import { PERSON, StandaloneWorld } from '../../../testing/support/standalone-world';

describe('reflectionCorrect on a real server', () => {
  let world: StandaloneWorld;
  beforeAll(async () => {
    world = await StandaloneWorld.start();
  });
  afterAll(() => world.close());
  beforeEach(() => world.reset());
  afterEach(() => expect(world.script).toEqual([]));

  const errors = [{ path: '/age', message: 'age is missing', suggestion: 'ask for it' }];

  test('without a prompt: the built-in revision, with data, errors and task', async () => {
    world.script = [{ reply: 'Here:\n```json\n{"name": "Ada", "age": 30}\n```' }];
    const result = await world.client.corrections.run({
      corrector: { action: 'llm.call' },
      data: { name: 'Ada' },
      errors: [...errors, 'be exact'],
      task: 'A person of {{ state.place }}',
      state: { place: 'London' },
    });
    expect(result).toEqual({
      output: { name: 'Ada', age: 30 },
      tokenUsage: expect.objectContaining({ modelCalls: 1 }),
    });
    for (const part of ['"name": "Ada"', 'age is missing → ask for it', 'be exact', 'A person of London']) {
      expect(world.prompt(0)).toContain(part);
    }
  });

  test('with a prompt: it sees reflection_output, reflection_errors, task and state', async () => {
    world.script = [{ reply: 'a house stands' }];
    const result = await world.client.corrections.run({
      corrector: {
        action: 'llm.call',
        model: 'large',
        prompt:
          '{{ task }}: {{ state.reflection_output }} has {{ state.reflection_errors | tojson }}, {{ state.tone }}',
      },
      data: 'a house',
      errors: ['no verb'],
      task: 'One sentence',
      state: { tone: 'softly' },
    });
    expect(result.output).toBe('a house stands');
    expect(world.prompt(0)).toMatch(
      /One sentence: <<<OUTPUT (\w+)\na house\n\1 OUTPUT>>> has <<<ERRORS (\w+)\n\[\{"message": "no verb"\}\]\n\2 ERRORS>>>, softly/,
    );
    expect(world.requests().map(({ body }) => body!.model)).toEqual(['large-1']);
  });

  test('a registered action corrects; its errors may be the issues of an evaluation', async () => {
    const data = { name: 'Ada' };
    const { issues } = await world.client.evaluations.run({ evaluator: { type: 'schema', schema: PERSON }, data });
    const result = await world.client.corrections.run({
      corrector: { action: 'completes', with: { age: 30 } },
      data,
      errors: issues,
      state: { customer: 7 },
      task: 'Complete it',
    });
    expect(result).toEqual({
      output: { name: 'Ada', age: 30 },
      tokenUsage: { promptTokens: 0, completionTokens: 0, totalTokens: 0, modelCalls: 0, usd: 0 },
    });
    expect(world.seen).toEqual([
      {
        customer: 7,
        task: 'Complete it',
        reflection_iteration: 1,
        reflection_output: data,
        reflection_errors: [expect.objectContaining({ message: issues[0]!.message, path: '/age' })],
      },
    ]);
  });

  test('data and errors are by default what a loop left in the state', async () => {
    const state = { reflection_output: { name: 'Ada' }, reflection_errors: errors, reflection_best_score: 0.5 };
    const corrector = { action: 'completes', with: { age: 30 } };
    expect((await world.client.corrections.run({ corrector, state })).output).toEqual({ name: 'Ada', age: 30 });
    expect(world.seen).toMatchObject([{ reflection_errors: errors, reflection_best_score: 0.5 }]);
    await expect(world.client.corrections.run({ corrector })).rejects.toMatchObject({
      problems: [{ path: '/data' }, { path: '/errors' }],
    });
  });

  test('given no errors, the built-in revision calls no model and returns the data', async () => {
    const result = await world.client.corrections.run({ corrector: { action: 'llm.call' }, data: 'fine', errors: [] });
    expect(result).toMatchObject({ output: 'fine', tokenUsage: { modelCalls: 0 } });
  });

  test('given a corrector that fails, the failure names its type and the step', async () => {
    const broken: CorrectionRequest = { corrector: { action: 'breaks' }, data: 1, errors: [] };
    await expect(world.client.corrections.run(broken)).rejects.toMatchObject({
      name: 'RunFailedError',
      type: 'StepFailed',
      message: 'The corrector failed: the pen broke',
      details: [{ step: 'corrector' }],
    });
    world.script = [{ status: 401 }];
    await expect(
      world.client.corrections.run({ corrector: { action: 'llm.call' }, data: 1, errors: ['x'] }),
    ).rejects.toMatchObject({
      type: 'Model.Unauthorized',
      message: expect.stringMatching(/^The corrector failed: /),
    });
  });

  test('given an invalid request, all problems are reported with their paths', async () => {
    const wrong = {
      corrector: { action: 'llm.call', prompt: '{{ state.x', mode: 'hint' },
      data: 1,
      errors: ['fine', { path: '/a' }, 3],
    };
    expect(await world.failureOf('reflectionCorrect', wrong)).toMatchObject({
      type: 'InvalidSpec',
      details: [
        expect.arrayContaining(
          ['/corrector/mode', '/errors/1', '/errors/2'].map((path) => expect.objectContaining({ path })),
        ),
      ],
    });
    await expect(
      world.client.corrections.run({ corrector: { action: 'nobody' }, data: 1, errors: [] }),
    ).rejects.toMatchObject({
      type: 'UnknownAction',
      details: [[{ path: '/corrector/action' }]],
    });
  });
});
