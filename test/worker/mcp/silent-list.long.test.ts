import { startSilentMcp } from '../../../testing/mcp/silent';
import { startWorld } from '../../../testing/support/loop-world';

test('a run whose tool server never lists its tools fails with the name of that server, and so does the next run', async () => {
  const silent = await startSilentMcp();
  const world = await startWorld({ mcpServers: { silent: { url: silent.url } } });
  try {
    const spec = { generator: { action: 'mcp.silent.look' }, evaluator: { type: 'regex', pattern: '5' } } as const;
    const failure = { type: 'Mcp.Timeout', message: 'MCP server "silent" did not list its tools within 30000 ms' };
    await expect(world.client.run(spec, { timeout: '60s' })).rejects.toMatchObject(failure);
    await expect(world.client.run(spec, { timeout: '60s' })).rejects.toMatchObject(failure);
  } finally {
    await world.close();
    silent.close();
  }
}, 150_000);
