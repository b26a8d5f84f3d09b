import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { failure, loop, PipelineWorld } from '../../testing/support/pipelines';

const scored = (score: number) => ({ score, issues: [], confidence: 0.9 });

let world: PipelineWorld;
beforeAll(async () => {
  world = await PipelineWorld.start([
    { match: { last: 'First look' }, times: 'always', reply: scored(0.85) },
    { match: { last: 'Second look, on birds' }, reply: scored(0.3) },
    { match: { last: 'Second look, on birds' }, reply: scored(0.95) },
  ]);
});
afterAll(() => world.close());

describe('a loop of a pipeline whose settings hold templates of its own', () => {
  test('the second judge sees the loop’s state, its other settings are the pipeline’s, as of every evaluator', async () => {
    const { state } = await world.run({
      state: { reflection_output: 'stale', topic: 'birds', votes: 1, model: 'm', shots: [{ input: 'x', output: 'y' }] },
      nodes: [
        {
          name: 'write',
          uses: 'reflection.loop',
          with: loop(['Gulls dive', 'Gulls soar'], {
            evaluator: { type: 'llm', prompt: 'First look at {{ state.reflection_output }}', model: 'm' },
            judge: {
              votes: '{{ state.votes }}',
              second: {
                type: 'llm',
                prompt: 'Second look, on {{ state.topic }}: {{ state.reflection_output }}',
                model: '{{ state.model }}',
                examples: '{{ state.shots }}',
              },
            },
          }),
        },
      ],
    });
    expect(state).toMatchObject({ success: true, reflection_output: 'Gulls soar', reflection_iteration: 2 });
    const prompts = requestsOf(world.scripted.ledger).map(({ body }) => body!.messages.at(-1)!.content);
    const second = prompts.filter((prompt) => prompt.startsWith('Second look, on birds: '));
    // Fenced, as a judge is shown what others wrote.
    expect(second).toEqual([
      expect.stringMatching(/OUTPUT \w+\nGulls dive\n\w+ OUTPUT>>>\n\nExample 1/),
      expect.stringMatching(/OUTPUT \w+\nGulls soar\n\w+ OUTPUT>>>\n\nExample 1/),
    ]);
  });

  test('code of a hook is no template, and runs as it was written', async () => {
    const { state } = await world.run({
      state: { word: 'ours' },
      nodes: [
        {
          name: 'write',
          uses: 'reflection.loop',
          with: loop([{ title: 'one' }, { title: 'two' }], {
            hooks: {
              onReflection: {
                language: 'javascript',
                run: "return '{{ state.word }}'.length === 16 && event.iteration < 2 ? 'continue' : 'auto'",
              },
            },
          }),
        },
      ],
    });
    expect(state).toMatchObject({ title: 'two', reflection_iteration: 2 });
  });

  test('who judges second and what a hook runs the pipeline says itself; mistakes have their paths', async () => {
    const { details } = await failure(
      world.run({
        nodes: [
          { name: 'a', uses: 'reflection.loop', with: loop([1], { hooks: '{{ state.hooks }}' }) },
          { name: 'b', uses: 'reflection.loop', with: loop([1], { judge: '{{ state.judge }}' }) },
          { name: 'c', uses: 'reflection.loop', with: loop([1], { judge: { second: '{{ state.second }}' } }) },
          {
            name: 'd',
            uses: 'reflection.loop',
            with: loop([1], {
              judge: { votes: '{{ 1 + }}', second: { type: 'llm', prompt: '{{ state. }}', model: 'nobody' } },
            }),
          },
        ],
      }),
    );
    const paths = (details[0] as { path: string }[]).map(({ path }) => path);
    expect(new Set(paths)).toEqual(
      new Set([
        '/nodes/0/with/hooks',
        '/nodes/1/with/judge',
        '/nodes/2/with/judge/second',
        '/nodes/3/with/judge/votes',
        '/nodes/3/with/judge/second/prompt',
        '/nodes/3/with/judge/second/model',
      ]),
    );
  });
});
