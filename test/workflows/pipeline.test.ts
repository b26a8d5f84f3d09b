import type { PipelineResult } from '../../src/kinds/pipeline/contract/pipeline-results';
import { loop, PipelineWorld } from '../../testing/support/pipelines';

let world: PipelineWorld;
beforeAll(async () => {
  world = await PipelineWorld.start([
    { match: 'Write one word about gulls', times: 'always', reply: 'Soaring' },
    { match: { text: 'Repair', model: 'm' }, reply: { title: 'Gulls' } },
    { match: 'Is it kind', reply: { pass: false, score: 0.4, reason: 'too short' } },
    { match: 'Is it warm', reply: { pass: false, score: 0.3, reason: 'cold' } },
  ]);
});
afterAll(() => world.close());

describe('a pipeline runs its nodes in order over one state', () => {
  test('a loop is a run of its own; its result merges, and `output` names what it hands back', async () => {
    const handle = await world.started({
      name: 'titles',
      state: { request: 'a title', success: 'overwritten' },
      nodes: [
        { name: 'draft', uses: 'reflection.loop', with: loop([{ title: 'x' }, { title: 'Gulls' }]), output: 'card' },
        { name: 'after', action: 'looks', output: 'seen' },
      ],
    });
    const { state, nodes } = (await handle.result()) as PipelineResult;
    expect(nodes).toEqual([
      { name: 'draft', ms: expect.any(Number), workflowId: `${handle.workflowId}/draft` },
      { name: 'after', ms: expect.any(Number) },
    ]);
    expect(state).toMatchObject({
      request: 'a title',
      success: true,
      valid: true,
      exhausted: false,
      title: 'Gulls',
      card: { title: 'Gulls' },
      reflection_iteration: 2,
      reflection_history: [
        { iteration: 1, valid: false, evaluation: { outcome: 'fail' } },
        { iteration: 2, valid: true, evaluation: { outcome: 'pass' } },
      ],
    });
    const { seen, ...before } = state;
    expect(seen).toEqual(before);
    const child = await world.loops.client.temporal.workflow.getHandle(`${handle.workflowId}/draft`).describe();
    expect(child.type).toBe('reflectionLoop');
    expect(child.status.name).toBe('COMPLETED');
    expect(await child.staticSummary()).toBe('draft · ≤3 · ≥0.80');
  });

  test('a parameter that is one expression keeps its type, a variable that is not there warns, and no value is rendered twice', async () => {
    const { state, nodes } = await world.run({
      state: { card: { title: 'Gulls', tags: ['a', 'b'] }, trap: '{{ state.secret }}', secret: 'told', tries: 1 },
      nodes: [
        { name: 'whole', uses: 'gives', with: { value: '{{ state.card.tags }}' }, output: 'tags' },
        {
          name: 'text',
          uses: 'gives',
          with: { value: 'Of {{ state.card.title }}, {{ state.nobody }}!' },
          output: 'text',
        },
        { name: 'trap', uses: 'gives', with: { value: '{{ state.trap }}' }, output: 'same' },
        { name: 'merges', uses: 'gives', with: { value: { a: '{{ state.same }}', b: '{{ state.tags | length }}' } } },
        {
          name: 'word',
          uses: 'llm.call',
          with: { prompt: 'Write one word about gulls. {{ state.none }}' },
          output: 'word',
        },
        {
          name: 'once',
          uses: 'reflection.loop',
          with: loop(['x', { title: 'late' }], {
            maxIterations: '{{ state.tries }}',
            state: { topic: '{{ state.card }}', said: '{{ state.trap }}' },
          }),
        },
      ],
    });
    expect(state).toMatchObject({
      tags: ['a', 'b'],
      text: 'Of Gulls, !',
      same: '{{ state.secret }}',
      a: '{{ state.secret }}',
      b: 2,
      word: 'Soaring',
      exhausted: true,
      reflection_iteration: 1,
    });
    const warned = nodes.flatMap(({ name, warnings }) => (warnings ? [`${name}: ${warnings.join()}`] : []));
    expect(warned).toEqual([expect.stringMatching(/^text: .*nobody/), expect.stringMatching(/^word: .*none/)]);
  });

  test('parameters of steps and evaluators may be one expression, too', async () => {
    const { state } = await world.run({
      state: {
        kinds: ['bird', 'fish'],
        shape: { type: 'object', required: ['title'] },
        heat: 0.25,
        chat: [{ role: 'user', content: 'Write one word about gulls, {{ state.secret }}' }],
        judged: ['tone'],
        shots: [{ input: 'x', output: { pass: true } }],
        secret: 'told',
        model: 'm',
      },
      nodes: [
        {
          name: 'drafts',
          uses: 'reflection.loop',
          with: loop([{}, { title: 'Gulls' }], { evaluator: { type: 'schema', schema: '{{ state.shape }}' } }),
        },
        {
          name: 'kind',
          uses: 'reflection.evaluate',
          with: {
            evaluator: { type: 'schema', schema: { enum: '{{ state.kinds }}' }, coerce: '{{ 1 > 2 }}' },
            data: 'bird',
          },
          output: 'kind',
        },
        {
          name: 'kindly',
          uses: 'reflection.evaluate',
          with: {
            evaluator: { type: 'llm', prompt: 'Is it warm', examples: '{{ state.shots }}', model: '{{ state.model }}' },
            data: 'x',
          },
          output: 'kindly',
        },
        {
          name: 'chats',
          uses: 'llm.call',
          with: { messages: '{{ state.chat }}', temperature: '{{ state.heat }}', model: '{{ state.model }}' },
          output: 'word',
        },
      ],
    });
    expect(state).toMatchObject({
      title: 'Gulls',
      reflection_iteration: 2,
      kind: { valid: true },
      kindly: { score: 0.3 },
      word: 'Soaring',
    });
    const bodies = world.scripted.ledger.flatMap(({ body }) => (body ? [body] : []));
    const asked = bodies.find(({ messages }) => messages.at(-1)!.content.includes('state.secret'));
    expect(asked).toMatchObject({ model: 'm', temperature: 0.25 });
  });

  test('what returns no object and has no `output` is not kept, and says so', async () => {
    const { state, nodes } = await world.run({ nodes: [{ name: 'list', uses: 'gives', with: { value: [1] } }] });
    expect(state).toEqual({});
    expect(nodes[0]!.warnings).toEqual([expect.stringMatching(/give the node an `output`/)]);
  });

  test('settings.llm are the defaults of model calls', async () => {
    await world.run({
      settings: { llm: { model: 'm', temperature: 0.3, maxTokens: 7 } },
      nodes: [
        { name: 'word', uses: 'llm.call', with: { prompt: 'Write one word about gulls, node' }, output: 'word' },
        {
          name: 'loop',
          uses: 'reflection.loop',
          with: {
            generator: { action: 'llm.call', prompt: 'Write one word about gulls, loop', temperature: 1 },
            evaluator: { type: 'schema', schema: { type: 'string' } },
          },
        },
      ],
    });
    const bodies = world.scripted.ledger.flatMap(({ body }) => (body ? [body] : []));
    const asked = (text: string) => bodies.find(({ messages }) => messages.at(-1)!.content.includes(text));
    expect(asked('gulls, node')).toMatchObject({ temperature: 0.3, max_completion_tokens: 7 });
    expect(asked('gulls, loop')).toMatchObject({ temperature: 1, max_completion_tokens: 7 });
  });

  test('the loop of a node sees what its spec reads of the state, and nothing of an earlier loop', async () => {
    const handle = await world.started({
      state: { kept: 1, unread: 'x'.repeat(1000) },
      nodes: [
        { name: 'first', uses: 'reflection.loop', with: loop([{ title: 'Gulls' }]) },
        {
          name: 'second',
          uses: 'reflection.loop',
          with: {
            generator: { action: 'llm.call', prompt: 'Write one word about gulls {{ state.kept }}' },
            evaluator: { type: 'schema', schema: { type: 'string' } },
            corrector: { action: 'llm.call', prompt: '{{ state.reflection_output }} {{ state.reflection_history }}' },
          },
        },
      ],
    });
    await handle.result();
    const child = await world.loops.client.temporal.workflow.getHandle(`${handle.workflowId}/second`).fetchHistory();
    const { data } = child.events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads![0]!;
    expect(JSON.parse(Buffer.from(data!).toString())).toMatchObject({ name: 'second' });
    expect((JSON.parse(Buffer.from(data!).toString()) as { state: unknown }).state).toEqual({ kept: 1 });
  });
});

describe('nodes that judge and correct without a loop', () => {
  const schema = { type: 'object', required: ['title'] };

  test('judge what `data` says, or the last output; correct what is wrong', async () => {
    const { state, nodes } = await world.run({
      state: { card: { name: 'Gulls' } },
      nodes: [
        {
          name: 'check',
          uses: 'reflection.evaluate',
          with: { evaluator: { type: 'schema', schema }, data: '{{ state.card }}' },
          output: 'check',
        },
        {
          name: 'fix',
          uses: 'reflection.correct',
          with: {
            corrector: {
              action: 'llm.call',
              prompt: 'Repair {{ state.card | tojson }}: {{ state.reflection_errors }}',
            },
            data: '{{ state.card }}',
            errors: '{{ state.check.errors }}',
          },
        },
        { name: 'again', uses: 'reflection.evaluate', with: { evaluator: { type: 'schema', schema } } },
        {
          name: 'judge',
          uses: 'reflection.evaluate',
          with: { evaluator: { type: 'llm', prompt: 'Is it kind?' } },
          output: 'judged',
        },
      ],
    });
    expect(state).toMatchObject({
      check: {
        valid: false,
        score: 0,
        outcome: 'fail',
        errors: [{ message: expect.stringMatching(/title/) }],
        suggestions: expect.any(Array),
        reason: expect.any(String),
      },
      // Merged: what was corrected, and what the second check said.
      reflection_output: { title: 'Gulls' },
      title: 'Gulls',
      valid: true,
      score: 1,
      outcome: 'pass',
      judged: { valid: false, score: 0.4, outcome: 'fail', reason: 'too short' },
    });
    expect(nodes.flatMap(({ warnings = [] }) => warnings)).toEqual([]);
    const repair = world.scripted.ledger.find(({ body }) => JSON.stringify(body)?.includes('Repair'));
    expect(JSON.stringify(repair!.body)).toMatch(/Gulls.*title/);
  });
});
