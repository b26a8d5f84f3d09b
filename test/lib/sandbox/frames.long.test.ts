import { spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Answer } from '../../../src/lib/sandbox/process/frame';
import { Interpreter } from '../../../src/lib/sandbox/process/interpreter';
import { answerTo as answerIn, LIMITS } from './frame-answers';

/** Milliseconds of a processor: deep frames once took 170 to 360. */
const LONGEST_STALL_MS = 100;

const folder = mkdtempSync(path.join(tmpdir(), 'frames-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const answerTo = (script: string, limits = LIMITS): Promise<Answer> => answerIn(folder, script, limits);

const answering = (frame: unknown) =>
  `send(token, ' ', ${JSON.stringify(JSON.stringify(frame))}, '\\n'); setTimeout(() => {}, 60000);`;
/** The frame is what a script of its own makes: it may be long. */
const answeringWith = (frame: string) =>
  `{ const all = Buffer.from(token + ' ' + ${frame} + '\\n'); let at = 0; while (at < all.length) at += fs.writeSync(3, all, at); } setTimeout(() => {}, 60000);`;
const LARGE = { timeMs: 60_000, resultBytes: 2 * 1024 * 1024 };
const resulting = (json: string) => answering({ json });

describe('frames that the runtime would never write', () => {
  test('control: what it does write is read', async () => {
    expect(await answerTo(resulting('{"a":[1]}'))).toEqual({ kind: 'value', value: { a: [1] } });
  });

  test.each<[string, string]>([
    ['another token', `send('0'.repeat(48), ' {"json":"1"}\\n')`],
    ['half of the token', `send(token.slice(0, 24), ' {"json":"1"}\\n')`],
    ['bytes before the token', `send('\\u0000', token, ' {"json":"1"}\\n')`],
    ['a byte order mark', `send('\\ufeff', token, ' {"json":"1"}\\n')`],
    ['an empty line', `send('\\n')`],
    ['two answers', `send(token, ' {"json":"1"}\\n', token, ' {"json":"2"}\\n')`],
    ['bytes after the answer', `send(token, ' {"json":"1"}\\nx')`],
    ['no JSON', `send(token, ' {"json":\\n')`],
    ['no text of JSON', answering({ json: 1 })],
    ['a result that is no JSON', resulting('{')],
    ['a list', answering([])],
    ['null', answering(null)],
    ['a frame that is nested 10,000 deep', `send(token, ' ', '['.repeat(1e4), '\\n')`],
    ['a frame with more in it than a frame has', `send(token, ' {"json":"1","a":[', '1,'.repeat(100), '1]}\\n')`],
    ['a failure that cannot be a text', answering({ failure: { name: { toString: 1, valueOf: 1 }, message: '' } })],
  ])('%s ends it as forged', async (_name, script) => {
    expect(await answerTo(`${script}; setTimeout(() => {}, 60000);`)).toMatchObject({
      kind: 'ended',
      reason: 'channel',
    });
  });

  test.each<[string, string]>([
    ['without end', `for (;;) send('x'.repeat(65536))`],
    ['too large a result', resulting(JSON.stringify('x'.repeat(LIMITS.resultBytes)))],
    ['a result nested 40,000 deep', resulting(`${'['.repeat(40_000)}${']'.repeat(40_000)}`)],
  ])('%s ends it by its size', async (_name, script) => {
    expect(await answerTo(script)).toMatchObject({ kind: 'ended', reason: 'output' });
  });

  test.each<[string, string, RegExp]>([
    [
      'a whole number that would be another one',
      resulting('{"a":[1,2512292042121000001]}'),
      /at \/a\/1, 2512292042121000001 would lose digits/,
    ],
    ['a number that is too large', resulting('{"a":[1,1e400]}'), /holds a number that is too large for JSON/],
    ['400 digits', resulting('1'.repeat(400)), /holds a number that is too large for JSON/],
    ['nesting', resulting(`${'['.repeat(503)}${']'.repeat(503)}`), /nested too deeply/],
    ['nesting of one level too many', resulting(`${'['.repeat(502)}${']'.repeat(502)}`), /nested too deeply/],
    ['values', answeringWith(`JSON.stringify({ json: '[' + '[],'.repeat(200000) + '1]' })`), /more than 200000 values/],
  ])('%s ends it, and it is said so', async (_name, script, problem) => {
    expect(await answerTo(script, LARGE)).toMatchObject({ reason: 'output', problem: expect.stringMatching(problem) });
  });

  test.each<[string, string]>([
    ['one byte at a time', `send(token, ' '); for (let i = 0; i < 1e6; i += 1) send('x'); send('\\n')`],
    ['an array nested 900,000 deep', answeringWith(`JSON.stringify({ json: '['.repeat(9e5) + ']'.repeat(9e5) })`)],
    ['a frame nested 900,000 deep', answeringWith(`'['.repeat(9e5) + ']'.repeat(9e5)`)],
    ['690,000 empty objects', answeringWith(`JSON.stringify({ json: '[' + '{},'.repeat(690000) + '1]' })`)],
  ])(
    'what comes as %s makes the worker grow by less than 50 MB, and holds its event loop for less than a tenth of a second',
    (_name, script) => {
      const reader = [path.join(__dirname, 'frame-growth.ts'), folder, script, JSON.stringify(LARGE)];
      const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', ...reader], { encoding: 'utf8' });
      const { kind, stallMs, grownBytes } = JSON.parse(stdout) as Record<string, number | string>;
      expect(kind).toBe('ended');
      expect(stallMs).toBeLessThan(LONGEST_STALL_MS);
      expect(grownBytes).toBeLessThan(50 * 1024 * 1024);
    },
  );

  test('a failure says no more than a failure may', async () => {
    const failure = { name: 'N'.repeat(90_000), message: 'a.'.repeat(2_500), line: 'x' };
    const answer = await answerTo(answering({ failure, memoryBytes: 'much' }));
    expect(answer).toEqual({ kind: 'failure', name: 'N'.repeat(200), message: 'a.'.repeat(2_000) });
  });

  test('keys that mean something to JavaScript are keys', async () => {
    const answer = await answerTo(resulting('{"__proto__":{"polluted":1},"constructor":2,"a":1,"a":3}'));
    expect(JSON.stringify(answer)).toBe('{"kind":"value","value":{"__proto__":{"polluted":1},"constructor":2,"a":3}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('bytes that are no UTF-8 become the mark for them', async () => {
    const answer = await answerTo(`send(token, ' {"json":"\\\\"', [0xff, 0xc0], '\\\\""}\\n')`);
    expect(answer).toEqual({ kind: 'value', value: '\ufffd\ufffd' });
  });

  test('what comes after the answer is nobody’s', async () => {
    expect(
      await answerTo(`send(token, ' {"json":"1"}\\n'); for (;;) { fs.writeSync(2, 'x'.repeat(65536)); send('x') }`),
    ).toMatchObject(
      // Whichever is read first: in one piece with the answer it is a forgery.
      { kind: expect.stringMatching(/^(?:value|ended)$/) },
    );
  });

  test('a flood of errors ends it', async () => {
    expect(await answerTo(`for (;;) fs.writeSync(2, 'x'.repeat(65536))`)).toMatchObject({
      kind: 'ended',
      reason: 'output',
    });
  });

  test('one that speaks before it is ready never is', async () => {
    const early = new Interpreter(
      { command: process.execPath, arguments: ['-e', `require('fs').writeSync(3, 'READY\\n')`], env: {} },
      folder,
    );
    await expect(early.ready).rejects.toThrow(/something else/);
    await early.end();
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('an interpreter gets none of the files that the worker was started with', () => {
  const secret = path.join(folder, 'secret');
  writeFileSync(secret, 'inherited');
  const descriptor = openSync(secret, 'r');
  try {
    const stdio: StdioOptions = Array.from({ length: 64 }, (_, at) => (at === 40 || at === 63 ? descriptor : 'ignore'));
    stdio[1] = 'pipe';
    const worker = [path.join(__dirname, 'started-with-secret.ts')];
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', ...worker], { stdio, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({ plain: 'inherited,inherited', jailed: { kind: 'value', value: [] } });
  } finally {
    closeSync(descriptor);
  }
});
