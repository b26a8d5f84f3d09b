import { readModelCalls } from '../../src/apps/cli/prompts/model-calls';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { calls, callsTool, draft, INVENTED, judge, LookingJudges, spec, verdict } from './looking-judges';

describe('judges that call tools, on a real server', () => {
  let looking: LookingJudges;
  beforeAll(async () => {
    looking = await LookingJudges.start();
  });
  afterAll(() => looking.close());

  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;

  test.each(['judge', 'streaming'])(
    'a judge looks the order up: an invented date fails, the right one passes (%s)',
    async (model) => {
      const lie = await looking.run(judge({ model }), [draft('2026-04-09'), calls('A17'), INVENTED]);
      expect(lie).toMatchObject({ success: false, finalEvaluation: { outcome: 'fail', overallScore: 0.2 } });
      const [, first, second] = looking.bodies();
      expect(first!.tools!.map((tool) => tool.function.name)).toEqual(['orders_get']);
      expect(first!.messages.at(-1)!.content).toMatch(/You can call tools, which only read\./);
      expect([first!.response_format, first!.tool_choice]).toEqual([undefined, undefined]);
      expect(second!.messages.slice(-4)).toEqual([
        { role: 'assistant', content: null, tool_calls: [expect.objectContaining({ type: 'function' })] },
        {
          role: 'tool',
          tool_call_id: 'call_scripted_1',
          content: expect.stringMatching(
            /^<<<RESULT (\w{8})\n\{"number":"A17","delivered":"2026-03-02"\}\n\1 RESULT>>>$/,
          ),
        },
        { role: 'assistant', content: 'I looked that up.' },
        { role: 'user', content: expect.stringMatching(/^Now judge the output: .* is: [0-9a-f]{16}$/) },
      ]);
      // The code is drawn for each call.
      const codes = [first!, second!].map(({ messages }) => / is: ([0-9a-f]{16})$/.exec(messages.at(-1)!.content)![1]);
      expect(codes[0]).not.toBe(codes[1]);
      const [version] = lie.history.versions;
      expect(version!.evaluation.calls).toEqual([
        {
          name: 'orders.get',
          arguments: { number: 'A17' },
          result: '{"number":"A17","delivered":"2026-03-02"}',
          evaluator: 'dates',
          outcome: 'ok',
          source: 'recorded',
          startedAt: time,
          endedAt: time,
          attempt: 1,
        },
      ]);
      expect(version).not.toHaveProperty('calls');
      expect(version).toMatchObject({ tokenUsage: { modelCalls: 3 }, evaluationUsage: { modelCalls: 2 } });
      expect(lie.finalEvaluation!.calls).toEqual(version!.evaluation.calls);

      const truth = await looking.run(judge({ model }), [draft('2026-03-02'), calls('A17'), verdict(true)]);
      expect(truth).toMatchObject({ success: true, finalEvaluation: { outcome: 'pass', overallScore: 0.9 } });
      expect(looking.called).toEqual(['A17']);
    },
  );

  test('a judge that calls nothing judges at once, and its evaluation has no calls', async () => {
    const result = await looking.run({}, [draft('2026-03-02'), verdict(true)]);
    expect(result).toMatchObject({ success: true, tokenUsage: { modelCalls: 2 } });
    expect(result.finalEvaluation).not.toHaveProperty('calls');
  });

  test('errors, bad arguments and unknown names are told to the judge, and the verdict counts', async () => {
    const odd: ScriptEntry = {
      toolCalls: [
        { name: 'orders_get', arguments: { number: 'Z1' } },
        { name: 'orders_get', arguments: '{"number"' },
        { name: 'orders_delete', arguments: { number: 'A17' } },
      ],
    };
    const result = await looking.run({}, [draft('2026-03-02'), odd, verdict(false)]);
    const answers = looking.bodies()[2]!.messages.filter(({ role }) => role === 'tool');
    expect(answers.map(({ content }) => content)).toEqual([
      expect.stringMatching(/The tool failed: There is no order Z1\./),
      expect.stringMatching(/no JSON/),
      expect.stringMatching(/no tool of that name.*orders_get/),
    ]);
    expect(result.finalEvaluation).toMatchObject({
      outcome: 'fail',
      calls: [
        { name: 'orders.get', arguments: { number: 'Z1' }, outcome: 'error', startedAt: time },
        { name: 'orders.get', arguments: '{"number"', outcome: 'not_made' },
      ],
    });
  });

  test('a tool that cannot be reached after its retries makes the verdict inconclusive, with what was paid', async () => {
    const twice = [callsTool('away'), callsTool('away')];
    const result = await looking.run({ ...judge({ tools: ['away'] }), timeouts: { retryFor: 300 }, maxIterations: 2 }, [
      draft('2026-03-02'),
      ...twice,
    ]);
    expect(result).toMatchObject({
      success: false,
      convergenceReason: 'blocked',
      finalEvaluation: {
        outcome: 'inconclusive',
        reason: 'dates could not judge: its tool "away" could not be reached: the shop does not answer',
        calls: [
          { name: 'away', outcome: 'error', evaluator: 'dates' },
          { name: 'away', outcome: 'error', evaluator: 'dates' },
        ],
      },
      tokenUsage: { modelCalls: 3 },
    });
  });

  test('the last call may call no tool, and asks for the form', async () => {
    const result = await looking.run(judge({ maxToolRounds: 2 }), [draft('2026-03-02'), calls('A17'), verdict(true)]);
    expect(result.success).toBe(true);
    const [, first, last] = looking.bodies();
    expect([first!.tool_choice, last!.tool_choice, last!.tools!.length]).toEqual([undefined, 'none', 1]);
    expect(last!.response_format).toMatchObject({ type: 'json_schema' });
    expect(last!.messages.at(-1)!.content).toMatch(/^You can call no more tools\. /);
    // One that calls all the same has not judged.
    const more = [calls('A17'), calls('A17')];
    const deaf = await looking.run(judge({ maxToolRounds: 2 }), [draft('2026-03-02'), ...more, ...more]);
    expect(deaf.finalEvaluation).toMatchObject({ outcome: 'inconclusive', reason: expect.stringMatching(/went on/) });
    expect(looking.called).toEqual(['A17', 'A17']);
  });

  test('each vote has its own calls', async () => {
    const rounds = [calls('A17'), verdict(true)];
    const result = await looking.run({ judge: { votes: 3 }, budget: { modelCalls: 20 } }, [
      draft('2026-03-02'),
      ...rounds,
      verdict(false),
      ...rounds,
    ]);
    expect(result).toMatchObject({ success: true, tokenUsage: { modelCalls: 6 } });
    expect(result.finalEvaluation!.calls).toHaveLength(2);
  });

  test('a budget that is spent between two calls makes it inconclusive, and every call is counted', async () => {
    const result = await looking.run({ budget: { modelCalls: 2 }, maxIterations: 2 }, [
      draft('2026-03-02'),
      calls('A17'),
    ]);
    expect(result).toMatchObject({
      convergenceReason: 'call_budget',
      finalEvaluation: { outcome: 'inconclusive', reason: expect.stringMatching(/budget of model calls is spent/) },
      tokenUsage: { modelCalls: 2 },
    });
    expect(looking.called).toEqual([]);
  });

  test('more than 16 calls of one reply are answered, and not made', async () => {
    const numbers = Array.from({ length: 18 }, () => 'A17');
    const result = await looking.run({}, [draft('2026-03-02'), calls(...numbers), verdict(true)]);
    const answers = looking.bodies()[2]!.messages.filter(({ role }) => role === 'tool');
    expect([result.success, looking.called.length, answers.length]).toEqual([true, 16, 18]);
    expect(answers.at(-1)!.content).toContain('This was not called: a reply may call 16 tools.');
  });

  test('an evaluation without a loop may use tools, too', async () => {
    looking.say([calls('A17'), INVENTED]);
    const evaluation = await looking.client.evaluations.run({
      data: 'Order A17 came on 2026-04-09.',
      task: spec.task!,
      evaluator: spec.evaluator,
    });
    expect(evaluation).toMatchObject({ outcome: 'fail', calls: [{ name: 'orders.get', evaluator: 'dates' }] });
  });

  test('a node of a pipeline may use tools, too', async () => {
    looking.say([calls('A17'), INVENTED]);
    const data = 'Order A17 came on 2026-04-09.';
    const node = { name: 'check', uses: 'reflection.evaluate' as const, with: { data, evaluator: spec.evaluator } };
    const { state } = await looking.client.pipelines.run({ nodes: [{ ...node, with: node.with as never }] });
    expect(JSON.stringify(state)).toContain('the order came on 2026-03-02');
    expect(looking.called).toEqual(['A17']);
  });

  test('each call of the judge can be shown: what it was told, and what it called', async () => {
    looking.say([draft('2026-03-02'), { ...calls('A17'), text: 'I look it up.' } as ScriptEntry, verdict(true)]);
    const { workflowId } = await looking.client.start(spec);
    await looking.client.result(workflowId);
    const shown = await readModelCalls(looking.client, workflowId);
    expect(shown.map(({ title, activity }) => [title, activity])).toEqual([
      [expect.any(String), 'generate'],
      ['#1 evaluate · dates', 'evaluate'],
      ['#1 evaluate · dates · step 2', 'evaluate'],
    ]);
    expect(shown[1]!.reply).toEqual({
      text: 'I look it up.',
      toolCalls: [{ id: 'call_scripted_1', name: 'orders.get', arguments: '{"number":"A17"}' }],
    });
    expect(shown[2]!.prompt!.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  test('work that is not done yet is judged with tools, too, and its record has no results', async () => {
    const generator = { action: 'llm.call' as const, model: 'writer', tools: ['page'] };
    const result = await looking.run({ generator, triggers: { reflectionInterval: 1 } }, [
      callsTool('page', 'I read the page.'),
      calls('A17'),
      verdict(false),
      draft('2026-03-02'),
      calls('A17'),
      verdict(true),
    ]);
    const [version] = result.history.versions;
    const [call] = version!.reflections![0]!.evaluation.calls!;
    expect(call).toMatchObject({ name: 'orders.get', evaluator: 'dates', resultBytes: 41 });
    expect(call).not.toHaveProperty('result');
    expect(version!.evaluation.calls).toMatchObject([{ result: expect.stringContaining('2026-03-02') }]);
  });

  test('actions that may change things, and unknown ones, are refused with their paths', async () => {
    const wrong = judge({ tools: ['orders.get', 'orders.delete'] });
    await expect(looking.client.run({ ...spec, ...wrong })).rejects.toMatchObject({
      type: 'InvalidSpec',
      problems: [
        {
          path: '/evaluator/tools/1',
          message: expect.stringMatching(
            /"orders.delete" cannot be called by a judge: .* set `readOnly: true` in defineAction/,
          ),
        },
      ],
    });
    const second = { type: 'llm' as const, tools: ['orders.find'] };
    await expect(looking.client.run({ ...spec, judge: { second } })).rejects.toMatchObject({ type: 'UnknownAction' });
    const many = judge({ maxToolRounds: 100 });
    await expect(looking.client.run({ ...spec, ...many, judge: { votes: 6 } })).rejects.toMatchObject({
      problems: [{ message: expect.stringMatching(/would make 600 calls/) }],
    });
  });
});
