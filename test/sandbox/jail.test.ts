import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeWorkerFolder, removeWorkerFolder } from '../../src/sandbox/jail-folder';
import { launchOf } from '../../src/sandbox/process/launch';
import { launchSettings } from '../../src/sandbox/level';
import { DEFAULT_LIMITS } from '../../src/sandbox/limits';
import { eventually } from '../../testing/support/eventually';

const MEMFD = '/proc/sys/vm/memfd_noexec';
/** Only root may say it, and only to a kernel that knows it. */
const whereRootMaySay =
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync(MEMFD) ? test : test.skip;

whereRootMaySay('no program can be started from memory in the namespaces of a jail', async () => {
  const folder = makeWorkerFolder();
  try {
    const launch = launchOf(await launchSettings('namespaces', DEFAULT_LIMITS, folder), 'javascript');
    // The same command up to where it enters the root folder that has no /proc.
    const inside = launch.arguments.slice(0, launch.arguments.indexOf('enter') - 2);
    const outside = execFileSync('cat', [MEMFD], { encoding: 'utf8' });
    const options = { env: launch.env, cwd: '/', encoding: 'utf8' } as const;
    expect(execFileSync(launch.command, [...inside, '/bin/cat', MEMFD], options)).toBe('2\n');
    expect(execFileSync('cat', [MEMFD], { encoding: 'utf8' })).toBe(outside);
  } finally {
    removeWorkerFolder(folder);
  }
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('code that spins ends when its worker is killed', async () => {
  const script = path.join(__dirname, 'spinning-worker.ts');
  const worker = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(worker.stdout, 'data')) as [Buffer];
  const processes = said.toString().trim().split(',');
  const alive = (): string[] => processes.filter((pid) => existsSync(`/proc/${pid}`));
  expect(alive()).toEqual(processes);
  worker.kill('SIGKILL');
  await eventually(alive, (left) => left.length === 0);
});
