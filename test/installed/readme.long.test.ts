import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from '@swc/core';
import { freePort } from '../../src/apps/server/ports';
import { judges } from '../../src/apps/testing/scripted-model/judges';
import type { ScriptEntry, ScriptedRequest } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { blocksOf, type CodeBlock } from '../../testing/build/code-blocks';
import { eventually } from '../../testing/support/eventually';
import { packedPackage } from '../../testing/support/packed-package';
import { testAddress, testCli } from '../../testing/support/temporal-server';

/** The package is built, packed and installed, and every block of README runs. */
jest.setTimeout(600_000);

const PROJECT = path.join(__dirname, '..', '..');
const BLOCKS = blocksOf('README.md');
const folder = mkdtempSync(path.join(tmpdir(), 'reflect-readme-'));
/** Stands for the checkout: `..` is the folder in which `init` makes the project. */
const checkout = path.join(folder, 'checkout');
const project = path.join(folder, 'contact-cards');
const longRunning: ChildProcess[] = [];
let env: NodeJS.ProcessEnv;
let model: ScriptedOpenAI;
let next = 0;

/** Takes the next block of the page, which has to begin as given. */
function takeBlock(language: string, beginning: string): string {
  const { code, ...found } = BLOCKS[next++] ?? ({ code: '', language: 'none', place: 'end' } satisfies CodeBlock);
  expect({ language: found.language, code }).toEqual({
    language,
    code: expect.stringMatching(`^${beginning}`) as string,
  });
  return code;
}

/** Returns the commands of a block, one for each line, without comments. */
const linesOf = (code: string): string[] =>
  code
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));

/** Runs commands in a shell and returns what they print. Fails with them. */
async function run(command: string, cwd = project, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd, env: { ...env, ...more }, timeout: 300_000 };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', command], options);
  return stdout + stderr;
}

/** Starts a command that runs until the end of the tests, or until the returned function ends it. */
async function start(command: string, ready: RegExp): Promise<() => Promise<void>> {
  const child = spawn('sh', ['-c', command], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  longRunning.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
  await eventually(
    () => said + (child.exitCode === null ? '' : ` ended with ${child.exitCode}`),
    (all) => ready.test(all),
    90_000,
  );
  return async () => {
    const ended = once(child, 'exit');
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  };
}

/** Answers every block as its model. */
function answer({ text, body }: ScriptedRequest): ScriptEntry {
  const isHaiku = text.includes('haiku');
  if (text.includes('Questions about the output:')) {
    return { ...(isHaiku ? judges.fail('read') : judges.pass()), delayMs: isHaiku ? 2_000 : 0 };
  }
  if (/Judge this announcement|Would a user understand/.test(text)) {
    return text.includes('Imports leak.') ? judges.fail('read') : judges.pass();
  }
  const robin = { name: 'Robin', email: 'robin@example.com' };
  const isRevision = body.messages.some(({ role }) => role === 'assistant');
  if (text.includes('contact card')) return { reply: { ...robin, phone: isRevision ? '555-0142' : '555 0142' } };
  return { reply: 'Exports are streamed now.' };
}

beforeAll(async () => {
  const tarball = await packedPackage();
  mkdirSync(checkout);
  symlinkSync(path.join(PROJECT, 'bin'), path.join(checkout, 'bin'));
  copyFileSync(tarball, path.join(folder, 'durable-reflection-9.9.9.tgz'));
  const tools = path.join(folder, 'bin');
  mkdirSync(tools);
  symlinkSync(await testCli(), path.join(tools, 'temporal'));
  model = await ScriptedOpenAI.start({ script: answer });
  const { NODE_OPTIONS: _options, OPENAI_API_KEY: _key, REFLECT_TASK_QUEUE: _queue, ...inherited } = process.env;
  env = {
    ...inherited,
    NO_COLOR: '1',
    PATH: `${tools}:${process.env['PATH']}`,
    TEMPORAL_CLI: path.join(tools, 'temporal'),
    TEMPORAL_ADDRESS: testAddress(),
    OPENAI_BASE_URL: model.baseUrl,
    npm_config_ignore_scripts: 'true',
    npm_config_prefer_offline: 'true',
    npm_config_yes: 'true',
  };
});

afterAll(async () => {
  for (const child of longRunning.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    process.kill(-child.pid!, 'SIGKILL');
  }
  await model?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the blocks of README, in the order of the page', () => {
  let note: string;
  let card: string;
  let stopWorker: () => Promise<void>;

  test('a checkout runs its demo and its tests', async () => {
    note = takeBlock('yaml', 'task:');
    const [demo, tests, ...more] = linesOf(takeBlock('sh', 'npm ci && npm run demo'));
    expect(more).toEqual([]);
    // This checkout has its packages: its lock has to be one that `npm ci` takes. One file stands for all tests.
    const here = (line: string): string => line.replace(/^npm ci &&/, 'npm ci --dry-run --offline --loglevel=error &&');
    expect(await run(here(demo!), PROJECT, { OPENAI_BASE_URL: '' })).toMatch(/✓ quality_met · 3 versions/);
    expect(await run(`${here(tests!)} -- test/loop/moves/stop-rules.test.ts`, PROJECT)).toMatch(/Tests: .* passed/);
  });

  test('a project is made of the tarball, and its test passes', async () => {
    const [pack, ...lines] = linesOf(takeBlock('sh', 'npm pack --pack-destination \\.\\.\nnode bin'));
    expect(pack).toBe('npm pack --pack-destination ..');
    expect(await run(lines.join('\n'), checkout)).toMatch(/pass 1\b/);
  });

  test('a server, a worker and a run of the file', async () => {
    card = takeBlock('yaml', 'name: contact-card');
    expect(card.trim()).toBe(
      readFileSync(path.join(project, 'loop.yaml'), 'utf8')
        .replace(/^#.*\n/gm, '')
        .trim(),
    );
    const [server, worker, loop, ...more] = linesOf(takeBlock('sh', 'npx reflect server'));
    expect(more).toEqual([]);
    const port = await freePort();
    await start(`exec ${server} --ephemeral --port ${port} --ui-port ${await freePort()}`, /Temporal/);
    env['TEMPORAL_ADDRESS'] = `127.0.0.1:${port}`;
    // The page shows no key.
    stopWorker = await start(worker!.replace('…', 'none'), /[Rr]eady|[Ss]erv/);
    writeFileSync(path.join(project, 'contact-card.yaml'), card);
    expect(await run(loop!)).toMatch(/#1 .*fail[^]*✓ quality_met · 2 versions/);
    writeFileSync(path.join(project, 'note.yaml'), note);
    expect(await run('npx reflect run note.yaml')).toMatch(/✓ quality_met · 1 version/);
  });

  test('a pipeline, an evaluation and a correction', async () => {
    const [pipeline, evaluation, correction, ...more] = linesOf(takeBlock('sh', 'npx reflect run examples/'));
    expect(more).toEqual([]);
    symlinkSync(path.join(PROJECT, 'examples'), path.join(project, 'examples'));
    expect(await run(pipeline!)).toContain('Exports are streamed now.');
    const files = blocksOf('docs/cookbook.md').filter(({ language }) => language === 'json');
    const fileWith = (key: string): string =>
      files.find(({ code }) => code.includes(key) && !code.includes('generator'))!.code;
    writeFileSync(path.join(project, 'check.json'), fileWith('"evaluator"'));
    writeFileSync(path.join(project, 'fix.json'), fileWith('"corrector"'));
    writeFileSync(path.join(project, 'entry.md'), 'Imports leak.');
    // Exit code 2: the entry does not pass.
    await expect(run(evaluation!)).rejects.toMatchObject({ code: 2 });
    expect(await run(correction!)).toContain('Exports are streamed now.');
  });

  test('a client in TypeScript', async () => {
    writeFileSync(path.join(project, 'client-of-readme.mjs'), takeBlock('ts', 'import { ReflectionClient }'));
    expect(await run('node client-of-readme.mjs')).toContain('quality_met Exports are streamed now.');
  });

  test('a worker in TypeScript, and a run from the shell that a person accepts', async () => {
    await stopWorker();
    const { code } = transformSync(takeBlock('ts', 'import type \\{ Json \\}'), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    });
    writeFileSync(path.join(project, 'worker-of-readme.mjs'), code);
    await start('exec node worker-of-readme.mjs', /RUNNING/);
    const commands = takeBlock('sh', 'temporal workflow start').split(/^(?=temporal )/m);
    expect(commands.map((command) => command.split(' ').slice(0, 4).join(' ').trim())).toEqual([
      'temporal workflow start --type',
      'temporal workflow query --type',
      'temporal workflow update execute',
      'temporal workflow result --workflow-id',
    ]);
    const [begin, query, accept, result] = commands as [string, string, string, string];
    await run(begin);
    expect(await run(query)).toContain('iteration');
    await eventually(
      () => run(accept).catch(() => ''),
      (said) => said !== '',
      60_000,
    );
    expect(await run(result)).toContain('user_accepted');
    expect(BLOCKS.slice(next)).toEqual([]);
  });
});
