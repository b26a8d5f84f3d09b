import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { StepLanguage } from '../../../src/lib/sandbox/languages';
import { CodeFailed, createSandbox, type Execution, type LevelCheck, type Sandbox } from '../../../src/lib/sandbox';
import { checkLevel } from '../../../src/lib/sandbox/level';
import {
  capabilityAttacks,
  FATAL_ATTACKS,
  FORGERIES,
  GREED,
  HOST_NAME,
  MUCH_MEMORY,
  OWN_MEANS,
  OWN_MEANS_AND_OUT,
  type Target,
} from './attacks';
import { type BrokenInterpreters, brokenInterpreters, callingHost } from './broken-interpreter';
import { SNAPSHOTS } from './snapshots';

export const LANGUAGES: StepLanguage[] = ['javascript', 'lua', 'python', 'prolog'];

/** Which attacks are made. What is common to all, such as the attacks on one process, is made in any case. */
export interface Corpus {
  /** Languages from which it is shown that each attack succeeds without a jail. */
  controls: StepLanguage[];
  fatal: Record<string, string>;
  forgeries: Record<string, string>;
  ends: [language: StepLanguage, name: string, code: string][];
  greed: { language: StepLanguage; name: string; code: string }[];
}

/** Everything that we know. */
export const ALL_ATTACKS: Corpus = {
  controls: LANGUAGES,
  fatal: FATAL_ATTACKS,
  forgeries: FORGERIES,
  ends: OWN_MEANS_AND_OUT,
  greed: LANGUAGES.flatMap((language) =>
    Object.entries(GREED[language]).map(([name, code]) => ({ language, name, code })),
  ),
};

const LIMIT_MS = 800;
const GRACE_MS = 500;
const MEMORY_GROWTH = 50 * 1024 * 1024;
const SECRET = 'canary-4711';

let folder: string;
let server: Server;
let connections = 0;
let signals = 0;
let target: Target;
/** Stands for the worker: signals would end jest. */
let bystander: ChildProcess;

/** One script that makes every attack, and says what came of each. */
function allOf(attacks: Record<string, string>): string {
  const list = Object.entries(attacks).map(([name, script]) => `[${JSON.stringify(name)}, function () { ${script} }]`);
  return `
    const outcomes = {};
    for (const [name, attack] of [${list.join(',')}]) {
      try { outcomes[name] = String(attack()) } catch (error) { outcomes[name] = 'refused: ' + error.message }
    }
    return JSON.stringify(outcomes);`;
}

async function outcomesOf(broken: BrokenInterpreters, language: StepLanguage): Promise<Record<string, string>> {
  const made = async (attacks: Record<string, string>): Promise<Record<string, string>> => {
    const { answer } = await broken.run(language, callingHost(language, allOf(attacks)), { timeMs: 20_000 });
    const [name, ...others] = Object.keys(attacks);
    // Where memory is used up, some versions of Node end at once.
    if (others.length === 0 && answer.kind === 'ended' && answer.reason === 'memory')
      return { [name!]: answer.problem };
    if (answer.kind !== 'value') throw new Error(JSON.stringify(answer));
    const [text] = answer.value as [string];
    return JSON.parse(text) as Record<string, string>;
  };
  const { [MUCH_MEMORY]: greedy, ...others } = capabilityAttacks(target);
  return { ...(await made(others)), ...(await made({ [MUCH_MEMORY]: greedy! })) };
}

/** Whether a process with a marker in its command line is still there. */
function survivors(marker: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}

const outliving = (marker: string) =>
  `require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000) // ${marker}'], { detached: true, stdio: 'ignore' }).unref(); return 'started'`;
/** In a process of its own, because a script cannot wait for what it began. */
const connecting = () => {
  const script = `require('net').connect(${target.port}, '127.0.0.1').on('connect', () => { console.log('connected'); process.exit() }).on('error', (error) => { console.log(error.code); process.exit() })`;
  return `return require('child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(script)}], { encoding: 'utf8' }).trim()`;
};

const onLinux = process.platform === 'linux' ? describe : describe.skip;

/** The tests of a file: attacks in jails, beside controls that succeed without one. */
export function describeEscapes(corpus: Corpus): void {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'escape-'));
    writeFileSync(path.join(folder, 'secret'), SECRET);
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const listens =
      "process.on('SIGUSR2', () => process.stdout.write('!')); setInterval(() => {}, 1e6); process.stdout.write('?')";
    bystander = spawn(process.execPath, ['-e', listens], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => {
      bystander.stdout!.once('data', resolve);
    });
    bystander.stdout!.on('data', (chunk: Buffer) => {
      signals += chunk.length;
    });
    const { port } = server.address() as AddressInfo;
    target = {
      file: path.join(folder, 'secret'),
      secret: SECRET,
      mark: path.join(folder, 'mark'),
      port,
      worker: bystander.pid!,
    };
  });

  afterAll(async () => {
    bystander.kill('SIGKILL');
    await new Promise((resolve) => {
      server.close(resolve);
    });
    rmSync(folder, { recursive: true, force: true });
  });

  onLinux('code that has got out of its interpreter', () => {
    let check: LevelCheck;
    let jail: BrokenInterpreters;
    let open: BrokenInterpreters;
    beforeAll(async () => {
      check = await checkLevel('namespaces');
      jail = await brokenInterpreters('namespaces');
      open = await brokenInterpreters('trusted', { REFLECT_TEST_SECRET: SECRET });
    });
    afterAll(async () => {
      await jail.close();
      await open.close();
    });

    test.each(corpus.controls)('control: without a jail, every attack succeeds (%s)', async (language) => {
      signals = 0;
      const outcomes = await outcomesOf(open, language);
      const failed = Object.entries(outcomes).filter(([, outcome]) => !outcome.startsWith('ESCAPED'));
      expect(failed).toEqual([]);
      expect(outcomes['read a host file']).toContain(SECRET);
      expect(existsSync(target.mark)).toBe(true);
      rmSync(target.mark);
      expect(signals).toBeGreaterThan(0);
    });

    test('control: without a jail, it connects and it outlives its sandbox', async () => {
      connections = 0;
      const connected = await open.run('javascript', callingHost('javascript', connecting()));
      expect(connected.answer).toMatchObject({ value: ['connected'] });
      const marker = `outlives-${process.pid}-open`;
      await open.run('javascript', callingHost('javascript', outliving(marker)));
      expect(survivors(marker)).toHaveLength(1);
      for (const pid of survivors(marker)) process.kill(Number(pid), 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(connections).toBe(1);
    });

    test.each(LANGUAGES)('in the jail, no attack succeeds (%s)', async (language) => {
      signals = 0;
      const outcomes = await outcomesOf(jail, language);
      expect(Object.keys(outcomes)).toHaveLength(Object.keys(capabilityAttacks(target)).length);
      const succeeded = Object.entries(outcomes).filter(([, outcome]) => outcome.includes('ESCAPED'));
      // What the level says that it does not do on this machine, and nothing else.
      expect(succeeded.map(([name]) => name)).toEqual(check.hostNameSeen === undefined ? [] : [HOST_NAME]);
      expect(JSON.stringify(outcomes)).not.toContain(SECRET);
      expect(existsSync(target.mark)).toBe(false);
      expect(signals).toBe(0);
    });

    test('in the jail, it connects to nobody and nothing outlives it', async () => {
      connections = 0;
      const { answer } = await jail.run('javascript', callingHost('javascript', connecting()));
      expect(answer).toMatchObject({ value: [expect.stringMatching(/^E[A-Z]+$/)] });
      const marker = `outlives-${process.pid}-jail`;
      await jail.run('javascript', callingHost('javascript', outliving(marker)));
      expect(survivors(marker)).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(connections).toBe(0);
    });

    test.each(Object.entries(corpus.fatal))('%s ends in time', async (_name, script) => {
      const { answer, ms } = await jail.run('javascript', callingHost('javascript', script), { timeMs: LIMIT_MS });
      expect(answer.kind).not.toBe('value');
      expect(ms).toBeLessThan(LIMIT_MS + GRACE_MS);
    });

    test.each(Object.entries(corpus.forgeries))('%s is no result', async (_name, script) => {
      const { answer } = await jail.run('javascript', callingHost('javascript', script), { timeMs: LIMIT_MS });
      expect(JSON.stringify(answer)).not.toContain('FORGED');
    });

    test('it cannot start processes without end', async () => {
      const script = `let count = 0; try { for (; count < 100; count++) { const child = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 9000)'], { stdio: 'ignore' }); if (child.pid === undefined) break; } } catch {} return String(count)`;
      const { answer } = await jail.run('javascript', callingHost('javascript', script), { timeMs: 5_000 });
      const started = answer.kind === 'value' ? Number((answer.value as string[])[0]) : 0;
      expect(started).toBeLessThan(16);
    });
  });

  onLinux('code of each language, by its own means', () => {
    const executions: Execution[] = [];
    let sandbox: Sandbox;
    beforeAll(() => {
      sandbox = createSandbox({
        level: 'namespaces',
        timeMs: 10_000,
        poolSize: 2,
        maxConcurrent: 2,
        snapshotFolder: SNAPSHOTS,
        onExecution: (execution) => executions.push(execution),
      });
    });
    afterAll(() => sandbox.close());

    const inputs = { state: {} };

    test.each(LANGUAGES)('gets nothing of the host (%s)', async (language) => {
      const code = OWN_MEANS[language]
        .replaceAll('PORT', String(target.port))
        .replaceAll('FILE', target.file)
        .replaceAll('MARK', target.mark)
        .replaceAll('WORKER', String(target.worker));
      connections = 0;
      signals = 0;
      expect(await sandbox.run({ language, code, inputs })).toEqual([]);
      expect([connections, signals]).toEqual([0, 0]);
    });

    test.each(corpus.ends)('ends by itself alone (%s %s)', async (language, _name, code) => {
      const error: unknown = await sandbox.run({ language, code, inputs }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CodeFailed);
    });

    test('takes no more than it may: each program ends in time, the worker stays small, others go on', async () => {
      global.gc?.();
      const before = process.memoryUsage().rss;
      executions.length = 0;
      const ends = await Promise.all(
        corpus.greed.map(async ({ language, name, code }) => {
          const job = { language, code, inputs, limits: { timeMs: LIMIT_MS, memoryBytes: 64 * 1024 * 1024 } };
          const error: unknown = await sandbox.run(job).catch((thrown: unknown) => thrown);
          return { what: `${language} ${name}`, reason: error instanceof CodeFailed ? error.reason : 'none', error };
        }),
      );
      expect(await sandbox.run({ language: 'lua', code: 'return 1', inputs })).toBe(1);
      const unhurt = ends.filter(({ reason }) => !['time', 'memory', 'output', 'error', 'crash'].includes(reason));
      expect(unhurt).toEqual([]);
      const late = executions.filter(({ ms }) => ms > LIMIT_MS + GRACE_MS);
      expect(late).toEqual([]);
      expect(process.memoryUsage().rss - before).toBeLessThan(MEMORY_GROWTH);
    });
  });

  test('where namespaces are no thing of the system, code is refused', async () => {
    if (process.platform === 'linux') return expect(createSandbox().level).toBe('namespaces');
    const sandbox = createSandbox({ level: 'namespaces' });
    const refused = sandbox.run({ language: 'javascript', code: 'return 1', inputs: { state: {} } });
    await expect(refused).rejects.toMatchObject({ name: 'SandboxUnavailable' });
    return sandbox.close();
  });
}
