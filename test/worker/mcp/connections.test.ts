import { createActionRegistry } from '../../../src/actions/registry';
import { McpServers, mcpTargets, withMcpServers } from '../../../src/worker/mcp';
import { actionsOf, call, closeServers, isGone, never } from '../../../testing/mcp/actions';
import { startHttpMcp } from '../../../testing/mcp/http';
import { callsIn, mcpProgram, newLedger } from '../../../testing/mcp/ledger';
import { eventually } from '../../../testing/support/eventually';

afterAll(closeServers);

describe('connections to MCP servers', () => {
  test('a program that ends during a call fails it, and the next call starts it again', async () => {
    const own = newLedger();
    const actions = actionsOf({ desk: mcpProgram(own) });
    await actions.learn(['mcp.desk.crashes_once'], never);
    await expect(call(actions, 'mcp.desk.crashes_once')).rejects.toMatchObject({
      type: 'Mcp.Unavailable',
      message: 'MCP server "desk" ended, or closed the connection',
      nonRetryable: false,
    });
    expect(await call(actions, 'mcp.desk.crashes_once')).toEqual({ content: 'I am back.', failed: false });
    const [first, second] = callsIn(own);
    expect(second!.pid).not.toBe(first!.pid);
  });

  test('many calls at once share one program', async () => {
    const own = newLedger();
    const actions = actionsOf({ desk: mcpProgram(own) });
    const answers = await Promise.all([1, 2, 3, 4].map((a) => call(actions, 'mcp.desk.add', { a, b: 1 })));
    expect(answers.map(({ content }) => content)).toEqual(['2', '3', '4', '5']);
    expect(new Set(callsIn(own).map(({ pid }) => pid)).size).toBe(1);
  });

  test('a program ends with its servers, also one that does not heed that its input is closed', async () => {
    const own = newLedger();
    process.env['MCP_TEST_ON'] = '1';
    const stubborn = { ...mcpProgram(own), envFromVariables: { MCP_TEST_STUBBORN: 'MCP_TEST_ON' } };
    const servers = new McpServers(mcpTargets({ desk: stubborn }, process.env), undefined);
    const actions = withMcpServers(createActionRegistry([]), servers);
    await call(actions, 'mcp.desk.add', { a: 1, b: 1 });
    const { pid } = callsIn(own)[0]!;
    expect(isGone(pid)).toBe(false);
    await servers.close();
    await eventually(() => isGone(pid), Boolean);
    await expect(call(actions, 'mcp.desk.add', { a: 1, b: 1 })).rejects.toMatchObject({ type: 'Mcp.Unavailable' });
  });

  test('a program gets the variables that were named, and none of the others of the worker', async () => {
    Object.assign(process.env, { MCP_TEST_TOKEN: 'sesame-open-1', MCP_TEST_OTHER: 'hidden-1' });
    const program = { ...mcpProgram(newLedger()), envFromVariables: { TOKEN: 'MCP_TEST_TOKEN' } };
    const { content } = await call(actionsOf({ desk: program }), 'mcp.desk.variables');
    expect(content.split(' ')).toEqual(expect.arrayContaining(['PATH', 'TOKEN']));
    expect(content).not.toContain('MCP_TEST');
  });

  test('a service gets its headers from variables, and a session that it forgot is begun again', async () => {
    process.env['MCP_TEST_TOKEN'] = 'Bearer sesame-open-1';
    const own = newLedger();
    const service = await startHttpMcp(own);
    const { url } = service;
    const actions = actionsOf({ desk: { url, headersFromVariables: { authorization: 'MCP_TEST_TOKEN' } } });
    await call(actions, 'mcp.desk.add', { a: 1, b: 1 });
    expect(new Set(service.headers.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer sesame-open-1']),
    );
    service.restart();
    await eventually(
      () => call(actions, 'mcp.desk.add', { a: 2, b: 2 }).catch(() => undefined),
      (answer) => answer?.content === '4',
    );
    expect(service.sessions).toBe(2);
    const slow = call(actions, 'mcp.desk.slow').catch((error: unknown) => error);
    await eventually(
      () => callsIn(own).at(-1)?.tool,
      (tool) => tool === 'slow',
    );
    service.restart();
    expect(await slow).toMatchObject({ type: 'Mcp.Unavailable', nonRetryable: false });
    await service.close();
  });

  test.each([
    [503, { type: 'Mcp.Unavailable', message: 'MCP server "desk" answers 503', nonRetryable: false }],
    [401, { type: 'Mcp.Refused', message: 'MCP server "desk" answers 401', nonRetryable: true }],
  ])('a service that answers %d', async (status, failure) => {
    const service = await startHttpMcp(newLedger());
    service.answerWith = status;
    const actions = actionsOf({ desk: { url: service.url } });
    await expect(actions.learn(['mcp.desk.add'], never)).rejects.toMatchObject(failure);
    service.answerWith = undefined;
    expect(await call(actions, 'mcp.desk.add', { a: 1, b: 1 })).toMatchObject({ content: '2' });
    await service.close();
  });

  test.each([
    ['a program that is not there', { command: 'no-such-program' }, /cannot be reached: .*ENOENT/],
    ['a port where nobody listens', { url: 'http://127.0.0.1:9/mcp' }, /^MCP server "desk" cannot be reached: /],
    ['a program that speaks otherwise', { command: process.execPath, args: ['-e', ''] }, /ended, or closed/],
  ])('%s is away', async (_what, server, message) => {
    const actions = actionsOf({ desk: server });
    await expect(actions.learn(['mcp.desk.add'], never)).rejects.toMatchObject({
      type: 'Mcp.Unavailable',
      message: expect.stringMatching(message),
      nonRetryable: false,
    });
  });
});
