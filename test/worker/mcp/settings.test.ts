import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidMcpServers, mcpTargets, parseMcpFile, readMcpFile } from '../../../src/worker/mcp';
import { createWorker } from '../../../src/worker';

const env = { TOKEN: 'sesame-open-1' };

describe('settings of MCP servers', () => {
  test('are what a worker calls, with the values of variables and a timeout', () => {
    const targets = mcpTargets(
      {
        files: {
          command: 'npx',
          args: ['-y', 'files'],
          envFromVariables: { KEY: 'TOKEN' },
          tools: ['read*'],
          readOnly: ['read_text*'],
        },
        docs: { url: 'https://docs.example.com/mcp', headersFromVariables: { Authorization: 'TOKEN' }, timeout: '2s' },
      },
      env,
    );
    expect(targets.get('files')).toEqual({
      tools: ['read*'],
      readOnly: ['read_text*'],
      timeoutMs: 60_000,
      at: { command: 'npx', args: ['-y', 'files'], env: { KEY: 'sesame-open-1' } },
    });
    const docs = targets.get('docs')!;
    expect(docs.timeoutMs).toBe(2_000);
    expect('url' in docs.at && [docs.at.url.href, docs.at.headers.get('authorization')]).toEqual([
      'https://docs.example.com/mcp',
      'sesame-open-1',
    ]);
  });

  test.each<[string, unknown, string[]]>([
    ['no object', [], ['']],
    ['a server that is no object', { files: 'npx' }, ['/files']],
    ['a name with a dot', { 'a.b': { command: 'x' } }, ['/a.b']],
    ['neither command nor url', { files: {} }, ['/files/command']],
    ['both', { files: { command: 'x', url: 'http://x' } }, ['/files/command']],
    ['literal variables', { files: { command: 'x', env: { KEY: 'secret' } } }, ['/files/env']],
    [
      'a variable that is not set',
      { files: { command: 'x', envFromVariables: { K: 'NONE' } } },
      ['/files/envFromVariables/K'],
    ],
    [
      'a value instead of a name',
      { files: { command: 'x', envFromVariables: { K: 'a b' } } },
      ['/files/envFromVariables/K'],
    ],
    ['a folder that is not there', { files: { command: 'x', cwd: '/no/such/folder' } }, ['/files/cwd']],
    ['another protocol', { docs: { url: 'ws://x' } }, ['/docs/url']],
    ['a password in the url', { docs: { url: 'http://a:b@x' } }, ['/docs/url']],
    [
      'no header name',
      { docs: { url: 'http://x', headersFromVariables: { 'a b': 'TOKEN' } } },
      ['/docs/headersFromVariables/a b'],
    ],
    [
      'no duration, no number',
      { docs: { url: 'http://x', timeout: 'soon', maximumAttempts: 0 } },
      ['/docs/timeout', '/docs/maximumAttempts'],
    ],
    ['mistakes of two servers', { a: {}, b: { url: 1 } }, ['/a/command', '/b/url']],
  ])('%s is refused with each path', (_what, settings, paths) => {
    const refused = () => mcpTargets(settings, env);
    expect(refused).toThrow(InvalidMcpServers);
    try {
      refused();
    } catch (error) {
      expect((error as InvalidMcpServers).problems.map(({ path }) => path)).toEqual(paths);
      expect((error as Error).message).not.toContain('sesame');
    }
  });

  test('a file may be written as those of other clients, or in snake_case', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'reflect-mcp-')), 'mcp.yaml');
    writeFileSync(file, 'mcp_servers:\n  my_files:\n    command: npx\n    maximum_attempts: 1\n');
    expect(readMcpFile(file, env)).toEqual({ my_files: { command: 'npx', maximumAttempts: 1 } });
    expect(parseMcpFile('{"mcpServers": {"a": {"command": "x"}}}', 'mcp.json', env)).toEqual({ a: { command: 'x' } });
  });

  test('mistakes in a file are told with their lines', () => {
    const text = 'mcpServers:\n  files:\n    command: npx\n    env: {}\n  docs:\n    url: nowhere\n';
    const message = (given: string) => {
      try {
        return String(parseMcpFile(given, 'mcp.yaml', env));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message(text)).toMatch(
      /^mcp\.yaml has 2 mistakes:\nmcp\.yaml:4:5 {2}mcpServers\.files\.env: .*\nmcp\.yaml:6:\d+ {2}mcpServers\.docs\.url: /,
    );
    expect(message('servers: {}')).toContain('must have mcpServers');
    expect(message('mcpServers: {}\nmore: 1\n')).toContain('mcp.yaml:2:1  more: unknown field');
  });

  test('a worker with settings that cannot be used is not made', async () => {
    await expect(createWorker({ mcpServers: { files: { command: '' } } })).rejects.toThrow(
      'mcpServers has a mistake:\n/files/command: must not be empty',
    );
  });
});
