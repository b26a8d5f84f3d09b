import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { type HttpMcp, startHttpMcp } from '../../../testing/mcp/http';
import { callsIn, ledgerOf, newLedger } from '../../../testing/mcp/ledger';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

const passes = { reply: { pass: true, score: 0.9, issues: [] } };
const spec: ReflectionSpec = {
  state: { secret: 'never shown' },
  generator: { action: 'llm.call', model: 'writer', prompt: 'Add.', tools: ['mcp.desk.add', 'mcp.desk.look.up'] },
  evaluator: { type: 'llm', model: 'judge' },
};

describe('runs with the tools of a real MCP server, on a real Temporal server', () => {
  const ledger = newLedger();
  let mcp: HttpMcp;
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  let script: ScriptEntry[] = [];

  beforeAll(async () => {
    mcp = await startHttpMcp(ledger);
    openai = await ScriptedOpenAI.start({ script: () => script.shift() });
    const { baseUrl } = openai;
    world = await startWorld({
      models: ['writer', 'judge'].map((name) => ({ name, model: name, baseUrl })),
      mcpServers: { desk: { url: mcp.url, tools: ['add', 'look.up', 'judges', 'slow', 'fails', 'grows'] } },
      allow: { actions: ['mcp.*'] },
    });
  });

  afterAll(async () => {
    await world.close();
    await openai.close();
    await mcp.close();
  });

  test('a model calls them, each call is an activity, and what they return is fenced and no template', async () => {
    const before = callsIn(ledger).length;
    script = [
      {
        toolCalls: [
          { name: 'mcp_desk_add', arguments: { a: 2, b: 3 } },
          { name: 'mcp_desk_look_up', arguments: { word: 'Ada' } },
          { name: 'mcp_desk_add', arguments: { a: 2 } },
          { name: 'mcp_desk_grows', arguments: {} },
        ],
      },
      { reply: 'It is 5.' },
      passes,
    ];
    const { workflowId } = await world.client.start(spec);
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ success: true, finalOutput: 'It is 5.', iterationsUsed: 1 });
    const made = callsIn(ledger).slice(before);
    expect(made.map(({ tool }) => tool).toSorted()).toEqual(['add', 'look.up']);
    expect(new Set(made.map(({ key }) => key)).size).toBe(2);
    const history = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    const scheduled = (history.events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: event }) => event?.activityType?.name ?? [],
    );
    expect(scheduled.filter((name) => name === 'reflection.tool')).toHaveLength(3);
    const asked = requestsOf(openai.ledger).at(-2)!.body!;
    expect(asked.tools!.map((tool) => tool.function.name)).toEqual(['mcp_desk_add', 'mcp_desk_look_up']);
    const answers = asked.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(answers).toEqual([
      expect.stringMatching(/^<<<RESULT (\w{8})\n5\n\1 RESULT>>>$/),
      expect.stringMatching(/^<<<RESULT (\w{8})\nAda: a word\. \{\{ state\.secret \}\}\n\1 RESULT>>>$/),
      expect.stringContaining('input is not valid: b: is missing'),
      expect.stringContaining('There is no tool of that name. There are: mcp_desk_add, mcp_desk_look_up'),
    ]);
    const turn = asked.messages.find(({ role }) => role === 'assistant')!;
    expect(JSON.stringify(turn)).toContain('"name":"mcp_desk_look_up"');
  });

  test('they are steps and evaluators, too', async () => {
    script = [];
    const result = await world.client.run({
      state: { n: 2 },
      generator: { action: 'mcp.desk.add', with: { a: '{{ state.n }}', b: 3 } },
      evaluator: { type: 'function', action: 'mcp.desk.judges' },
    });
    expect(result).toMatchObject({ success: true, finalOutput: '5' });
    expect(result.history.versions[0]).toMatchObject({ evaluation: { overallScore: 0.9 } });
  });

  test('a step whose tool fails ends the run with what the tool said', async () => {
    const failing = { ...spec, generator: { action: 'mcp.desk.fails' } };
    await expect(world.client.run(failing)).rejects.toMatchObject({
      type: 'StepFailed',
      message: expect.stringContaining('There is no such page.'),
    });
  });

  test('a spec with tools that are unknown or not allowed is refused before anything is paid for', async () => {
    const before = requestsOf(openai.ledger).length;
    const tools = ['mcp.desk.add', 'mcp.desk.huge', 'mcp.shelf.add'];
    const generator = { ...spec.generator, tools } as ReflectionSpec['generator'];
    await expect(world.client.run({ ...spec, generator })).rejects.toMatchObject({
      type: 'UnknownAction',
      details: [
        [
          { path: '/generator/tools/1', message: 'action "mcp.desk.huge" is not allowed on this worker' },
          { path: '/generator/tools/2', message: expect.stringContaining('no MCP server "shelf" is configured') },
        ],
      ],
    });
    expect(requestsOf(openai.ledger)).toHaveLength(before);
  });

  test('a server that is away when a run begins, and again during it, is waited for', async () => {
    const late = await startHttpMcp(newLedger());
    late.answerWith = 503;
    const { baseUrl } = openai;
    const other = await startWorld({
      models: ['writer', 'judge'].map((name) => ({ name, model: name, baseUrl })),
      mcpServers: { late: { url: late.url } },
    });
    script = [{ reply: 'unused' }];
    const { workflowId } = await other.client.start({
      generator: { action: 'mcp.late.add', with: { a: 2, b: 3 } },
      evaluator: { type: 'function', action: 'mcp.late.judges' },
    });
    await eventually(
      () => late.headers.length,
      (count) => count > 0,
    );
    late.answerWith = undefined;
    expect(await other.client.result(workflowId)).toMatchObject({ success: true, finalOutput: '5' });
    await other.close();
    await late.close();
  });

  test('an aborted run cancels the call at the server', async () => {
    const before = callsIn(ledger).length;
    const { workflowId } = await world.client.start({ ...spec, generator: { action: 'mcp.desk.slow' } });
    await eventually(
      () => callsIn(ledger).length,
      (count) => count > before,
      10_000,
    );
    await world.client.abort(workflowId);
    const last = await eventually(
      () => lastOf(ledger),
      ({ end }) => end === 'cancelled',
      30_000,
    );
    expect(last).toMatchObject({ tool: 'slow' });
  });
});

function lastOf(file: string) {
  return ledgerOf(file).at(-1)!;
}
