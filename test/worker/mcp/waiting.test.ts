import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { type HttpMcp, startHttpMcp } from '../../../testing/mcp/http';
import { startSilentMcp } from '../../../testing/mcp/silent';
import { newLedger } from '../../../testing/mcp/ledger';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { pageOf } from '../../../testing/support/page-of';

const action = 'mcp.late.add';
const parameters = { a: 2, b: 3 };
const judge = { type: 'regex', pattern: '5' } as const;
const loop: ReflectionSpec = { generator: { action, with: parameters }, evaluator: judge };

/** Starts a run of each kind whose check needs the server. */
const KINDS: Record<string, (client: LoopWorld['client']) => Promise<{ workflowId: string }>> = {
  loop: (client) => client.start(loop),
  evaluation: (client) =>
    client.evaluations.start({ evaluator: { type: 'function', action: 'mcp.late.judges' }, data: 'x' }),
  pipeline: (client) => client.pipelines.start({ nodes: [{ name: 'sum', action, with: parameters, output: 'sum' }] }),
  plan: (client) =>
    client.plans.start({
      goal: 'A sum.',
      plan: { id: 'p', tasks: [{ id: 'sum', description: 'Add.', step: { action, with: parameters } }] },
      enableLlmReflection: false,
    }),
  batch: (client) => client.batches.start([{ id: 'one', state: {} }], loop),
};

describe('a check that fails while a tool server is away', () => {
  let late: HttpMcp;
  let world: LoopWorld;
  beforeAll(async () => {
    late = await startHttpMcp(newLedger());
    late.answerWith = 503;
    world = await startWorld({ mcpServers: { late: { url: late.url } } });
  });
  afterAll(async () => {
    await world.close();
    await late.close();
  });

  test('is told on the page and in the progress of each kind of run, until the server is back', async () => {
    const started = Object.entries(KINDS).map(async ([kind, start]) => ({ kind, ...(await start(world.client)) }));
    const runs = (await Promise.all(started)).map(({ kind, workflowId }) => {
      const handle = world.client.temporal.workflow.getHandle(workflowId);
      return { kind, handle, progress: () => handle.query<{ retrying?: string }>('progress') };
    });
    for (const { kind, handle, progress } of runs) {
      const page = await eventually(
        () => pageOf(handle),
        (text) => text.includes('tried again'),
      );
      expect(page).toMatch(/^\*\*Waiting\*\*: prepare failed and is tried again: .*late/);
      if (kind === 'evaluation') continue;
      expect((await progress()).retrying).toMatch(/^prepare failed and is tried again: .*"late"/);
    }
    late.answerWith = undefined;
    for (const { kind, handle, progress } of runs) {
      await handle.result();
      expect(await pageOf(handle)).not.toContain('tried again');
      if (kind !== 'evaluation') expect(await progress()).not.toHaveProperty('retrying');
    }
  }, 60_000);
});

describe('a check whose tool server never lists its tools', () => {
  test('is told with the name of the server, and a command to abort the run takes effect before the check is over', async () => {
    const silent = await startSilentMcp();
    const world = await startWorld({ mcpServers: { silent: { url: silent.url } } });
    try {
      const { workflowId } = await world.client.start({ ...loop, generator: { action: 'mcp.silent.add' } });
      // The first attempt is under way: its workflow task would be open for eight seconds.
      await world.client.abort(workflowId, {}, { timeout: '5s' });
      expect(await world.client.result(workflowId)).toMatchObject({ convergenceReason: 'aborted' });
      const { workflowId: other } = await world.client.start({ ...loop, generator: { action: 'mcp.silent.add' } });
      const { retrying } = await eventually(
        () => world.client.progress(other),
        (progress) => progress.retrying !== undefined,
      );
      expect(retrying).toMatch(/^prepare failed and is tried again: MCP server "silent" has not listed its tools yet/);
      await world.client.abort(other);
    } finally {
      await world.close();
      silent.close();
    }
  }, 60_000);
});
