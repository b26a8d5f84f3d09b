import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExternalCommand, runCommand } from '../../../src/lib/external';
import { eventually } from '../../../testing/support/eventually';

const folder = mkdtempSync(join(tmpdir(), 'reflect-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (program: string, more: Partial<ExternalCommand> = {}): ExternalCommand => ({
  command: process.execPath,
  args: ['-e', program],
  ...more,
});
const run = (command: ExternalCommand, { timeoutMs = 5_000, signal = new AbortController().signal } = {}) =>
  runCommand('check', command, { body: { output: 'x' }, timeoutMs, signal });

describe('a registered command', () => {
  test('gets JSON on its input, gives JSON, and sees no environment but its own', async () => {
    process.env['REFLECT_TEST_SECRET'] = 'hidden';
    const program = `let t=''; process.stdin.on('data', (c) => t += c).on('end', () =>
      console.log(JSON.stringify({ got: JSON.parse(t), names: Object.keys(process.env), args: process.argv.slice(1) })))`;
    const { command, args } = node(program);
    const answer = await run({ command, args: [...args!, '$(touch x)', '; ls'], env: { MINE: '1' } });
    delete process.env['REFLECT_TEST_SECRET'];
    expect(answer).toMatchObject({ got: { output: 'x' }, args: ['$(touch x)', '; ls'] });
    const { names } = answer as { names: string[] };
    expect(names).toContain('MINE');
    expect(names.filter((name) => !['PATH', 'HOME', 'LANG', 'TZ', 'MINE'].includes(name))).toEqual([]);
  });

  test.each<[string, ExternalCommand, RegExp]>([
    ['an error', node(`console.error('no\\n  licence'); process.exit(2)`), /"check" ended with 2: no · licence$/],
    ['a signal', node(`process.kill(process.pid, 'SIGTERM')`), /ended with SIGTERM/],
    ['no JSON', node(`console.log('fine')`), /answered "fine", which is no JSON/],
    ['nothing', node(''), /answered nothing/],
    ['too much', node(`process.stdout.write('x'.repeat(3e6)); setTimeout(() => {}, 60000)`), /more than 1048576 bytes/],
    ['no such program', { command: join(folder, 'nobody') }, /cannot be started/],
  ])('%s is no judgement', async (_name, command, message) => {
    await expect(run(command)).rejects.toThrow(message);
  });

  test.each<[string, program: string, env: Record<string, string>]>([
    ['on standard error', `console.error('key', process.env.WORD); process.exit(1)`, { WORD: 'swordfish' }],
    [
      'in base64',
      `console.error(Buffer.from('Bearer ' + process.env.WORD).toString('base64')); process.exit(1)`,
      { WORD: 'swordfish' },
    ],
    ['where JSON should be', `console.log('I am', process.env.WORD)`, { WORD: 'swordfish' }],
    ['in a trace', `throw new Error(process.env.WORD)`, { WORD: 'swordfish' }],
    [
      'in its answer',
      `console.log(JSON.stringify({ score: 0, issues: ['no ' + process.env.MY_TOKEN] }))`,
      { MY_TOKEN: 'swordfish' },
    ],
    [
      'in an address',
      `console.error('cannot reach ' + process.env.DB_URL); process.exit(1)`,
      { DB_URL: 'postgres://me:swordfish@db/x' },
    ],
  ])('its own secret is not told that it says %s', async (_name, program, env) => {
    const said = await run(node(program, { env })).then(
      (answer) => JSON.stringify(answer),
      (error: unknown) => (error as Error).message,
    );
    expect(said).toContain('[redacted]');
    for (const form of ['swordfish', Buffer.from('swordfish').toString('base64').slice(4), 'd29yZGZpc2'])
      expect(said).not.toContain(form);
  });

  test('what takes too long ends, with all that it started', async () => {
    const mark = join(folder, 'mark');
    // The grandchild would hold the output open and write its mark.
    const grandchild = `setTimeout(() => require('fs').writeFileSync(${JSON.stringify(mark)}, ''), 1200)`;
    const program = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' }); setTimeout(() => {}, 60000)`;
    await expect(run(node(program), { timeoutMs: 500 })).rejects.toThrow(/did not answer within 500 ms/);
    await sleep(1_200);
    expect(existsSync(mark)).toBe(false);
  });

  test('a process that leaves the group and holds the output open is not waited for', async () => {
    const daemon = 'setTimeout(() => {}, 20000)';
    const pid = join(folder, 'daemon');
    const program = `const child = require('child_process').spawn(process.execPath, ['-e', '${daemon}'], { detached: true, stdio: 'inherit' });
      require('fs').writeFileSync(${JSON.stringify(pid)}, String(child.pid)); child.unref(); console.log('true'); process.exit()`;
    try {
      await expect(run(node(program), { timeoutMs: 1_500 })).rejects.toThrow(/did not answer within 1500 ms/);
    } finally {
      process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
    }
  });

  test('a cancelled run’s command is killed', async () => {
    const pidFile = join(folder, 'pid');
    const program = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const ended = run(node(program), { signal: controller.signal }).catch((error: unknown) => error);
    await eventually(
      () => readPid(pidFile),
      (pid) => pid > 0,
    );
    const pid = readPid(pidFile);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    await eventually(
      () => isRunning(pid),
      (running) => !running,
    );
  });
});

function readPid(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
