import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeWorkerFolder, removeWorkerFolder } from '../../../src/lib/sandbox/jail-folder';
import { launchOf } from '../../../src/lib/sandbox/process/launch';
import { checkLevel, launchSettings } from '../../../src/lib/sandbox/level';
import { whyUnfiltered } from '../../../src/lib/sandbox/process/system-call-filter';
import { DEFAULT_LIMITS } from '../../../src/lib/sandbox/limits';
import { toolPath } from '../../../src/lib/sandbox/tools';
import { eventually } from '../../../testing/support/eventually';

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

/** `socket` of a family, and calls of the session keyring and of io_uring, by number: what native code could do. */
const CALLS: Partial<Record<NodeJS.Architecture, Record<string, readonly number[]>>> = {
  x64: {
    unix: [41, 1, 1],
    vsock: [41, 40, 1],
    netlink: [41, 16, 3],
    inet: [41, 2, 1],
    keyctl: [250, 0, -3],
    uring: [425, 1],
  },
  arm64: {
    unix: [198, 1, 1],
    vsock: [198, 40, 1],
    netlink: [198, 16, 3],
    inet: [198, 2, 1],
    keyctl: [219, 0, -3],
    uring: [425, 1],
  },
};

onLinux('native code in a jail makes no sockets but those of Unix, and gets no keys and no rings', async () => {
  const perl = toolPath('perl')!;
  const tried = Object.entries(CALLS[process.arch]!).map(([name, numbers]) => {
    const call = [...numbers, 0, 0, 0, 0].slice(0, 5).join(', ');
    return `$! = 0; print "${name} ", syscall(${call}) < 0 && $!{EPERM} ? "denied" : "allowed", "\n";`;
  });
  const program = ['-MErrno', '-e', tried.join(' ')];
  const outcomes = (text: string): Record<string, string> =>
    Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
  const folder = makeWorkerFolder();
  try {
    const launch = launchOf(await launchSettings('namespaces', DEFAULT_LIMITS, folder), 'javascript');
    // The same command up to where it enters the root folder, which has no Perl.
    const inside = launch.arguments.slice(0, launch.arguments.indexOf('enter') - 2);
    const options = { env: launch.env, cwd: '/', encoding: 'utf8' } as const;
    const jailed = outcomes(execFileSync(launch.command, [...inside, perl, ...program], options));
    expect(jailed).toEqual({
      unix: 'allowed',
      vsock: 'denied',
      netlink: 'denied',
      inet: 'denied',
      keyctl: 'denied',
      uring: 'denied',
    });
    // Outside of it, sockets can be made: they are what is taken away.
    expect(outcomes(execFileSync(perl, program, options))).toMatchObject({
      unix: 'allowed',
      netlink: 'allowed',
      inet: 'allowed',
    });
  } finally {
    removeWorkerFolder(folder);
  }
});

onLinux('a level says whether system calls are filtered, and why not where the kernel refuses', async () => {
  expect(await checkLevel('namespaces')).toEqual({ level: 'namespaces', granted: true });
  expect(whyUnfiltered(toolPath('setpriv')!)).toBeUndefined();
  // The kernel takes a filter from nobody who may still gain privileges.
  const folder = makeWorkerFolder();
  try {
    const refused = path.join(folder, 'setpriv');
    const unprivileged = '[ "$(id -u)" != 0 ] || exec setpriv --reuid=65534 --clear-groups "$@"';
    writeFileSync(refused, `#!/bin/sh\nshift\n${unprivileged}\nexec "$@"\n`, { mode: 0o755 });
    chmodSync(folder, 0o755);
    expect(whyUnfiltered(refused)).toBe('the kernel refuses it');
  } finally {
    removeWorkerFolder(folder);
  }
});

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
