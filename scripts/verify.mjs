/**
 * Runs everything that must hold before a change is done, and says how much of it does. A step that fails does not keep
 * the others from running. Needs nothing but Node, because with `--ci` it installs the packages itself.
 *
 *   npm run verify           format, lint, types, tests with coverage, build, requirements
 *   .ci/run                  the same on a clean installation, then the long tests, a core of the tests with the oldest SDK, the mutants, every attack on the sandbox, the seeds, limits, torture, the browser and the stack
 *
 * Ends with the line `N passed, N failed`: every test counts one, and every other step counts one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROJECT = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
const CI = process.argv.includes('--ci');
const MINUTE = 60_000;
/** Between the request to end and the end. */
const GRACE_MS = 30_000;
/** About two minutes each, on two cores that do nothing else; a seed's workers are killed twice at each barrier. */
const TORTURE_SEEDS = {
  1: [],
  // With large outputs in an S3 server, which is killed, too.
  2: ['--storage', 's3'],
};
const TORTURE = ['--kills', '20', '--server-kills', '2', '--minutes', '4'];
// Temporal's servers and the compiler of the stack's programs, which are written in Go: they collect garbage less often.
if (CI) process.env.GOGC ??= '400';
const CI_FLAGS = CI ? ['--ci', '--maxWorkers=2'] : [];
/** Of tests that wait a good part of their time: jest's own setting, more files side by side than there are processors. */
const WAITING_FLAGS = CI ? ['--ci'] : [];
/** Of the long tests, which wait most of it. */
const LONG_FLAGS = CI ? ['--ci', '--maxWorkers=4'] : [];

const STACK = ['run', 'test:stack', '--', '--if-available'];

/**
 * The next step does not wait for one that is `beside` it, but one that is `alone` waits for all before it. A `spare` step has
 * the processors only while nothing else wants them.
 *
 * @type {{ name: string, args: string[], jest?: true, minutes?: number, last?: true, beside?: true, alone?: true, spare?: true }[]}
 */
const STEPS = [
  ...(CI ? [{ name: 'install', args: ['ci'], last: true }] : []),
  { name: 'format', args: ['run', 'format:check'], beside: true },
  { name: 'lint', args: ['run', 'lint'], beside: true },
  { name: 'types', args: ['run', 'typecheck'] },
  // Of the stack: minutes of downloads and compilation, while the tests wait for timers.
  ...(CI ? [{ name: 'images', args: [...STACK, '--prepare'], minutes: 40, beside: true, spare: true }] : []),
  { name: 'tests', args: ['test', '--', '--coverage', ...WAITING_FLAGS], jest: true, minutes: 15 },
  ...(CI ? [{ name: 'long tests', args: ['run', 'test:long', '--', ...LONG_FLAGS], jest: true, minutes: 25 }] : []),
  { name: 'build', args: ['run', 'build'] },
  { name: 'requirements', args: ['run', 'requirements:check'] },
  ...(CI ? [{ name: 'oldest SDK', args: ['run', 'test:sdk', '--', ...CI_FLAGS], jest: true, minutes: 5 }] : []),
  ...(CI ? [{ name: 'mutants', args: ['run', 'test:mutants', '--', ...CI_FLAGS], jest: true, minutes: 8 }] : []),
  ...(CI ? [{ name: 'sandbox', args: ['run', 'test:sandbox', '--', ...CI_FLAGS], jest: true }] : []),
  ...(CI ? [{ name: 'seeds', args: ['run', 'test:seeds', '--', ...CI_FLAGS], jest: true }] : []),
  ...(CI ? [{ name: 'limits', args: ['run', 'limits', '--', '--short'], minutes: 6 }] : []),
  ...(CI ? Object.entries(TORTURE_SEEDS) : []).map(([seed, storage]) => ({
    name: `torture ${seed}`,
    args: ['run', 'torture', '--', '--seed', seed, ...TORTURE, ...storage],
    minutes: 7,
  })),
  ...(CI ? [{ name: 'browser', args: ['run', 'test:browser', '--', ...CI_FLAGS], jest: true }] : []),
  // The images are made by now: nothing runs beside these tests.
  ...(CI ? [{ name: 'alone', args: ['run', 'test:alone', '--', '--ci'], jest: true, minutes: 10, alone: true }] : []),
  ...(CI ? [{ name: 'stack', args: STACK, minutes: 15 }] : []),
];

/** How to end what runs. */
const ends = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const end of ends) end('SIGTERM');
    process.exit(1);
  });
}

/**
 * Gives a process and its children the lowest priority. Linux shares the processors among sessions first, and a step is a
 * session: the nice value of its processes counts only among themselves.
 */
function yieldProcessors(pid) {
  setPriority(pid, constants.priority.PRIORITY_LOW);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW));
  } catch {
    // This system does not group processes by session.
  }
}

/** Characters at the end of a step's output that are printed again where it failed. */
const TAIL = 2_000;

/**
 * Runs npm in a session of its own, so that what takes too long ends with everything that it started.
 *
 * @returns whether it succeeded, and the end of what it printed
 */
function npm({ args, spare }, minutes) {
  return new Promise((resolve) => {
    const options = { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'], detached: true };
    const child = spawn('npm', args, options);
    let tail = '';
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])
      from.setEncoding('utf8').on('data', (text) => {
        to.write(text);
        tail = (tail + text).slice(-TAIL);
      });
    if (spare && child.pid !== undefined) yieldProcessors(child.pid);
    const end = (signal) => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, signal);
      } catch {
        // All of them are gone.
      }
    };
    let ending = Promise.resolve();
    const timer = setTimeout(() => {
      console.error(`npm ${args.join(' ')} took more than ${minutes} minutes.`);
      // Containers are no processes of this group: who started them has to end them.
      end('SIGTERM');
      ending = sleep(GRACE_MS).then(() => end('SIGKILL'));
    }, minutes * MINUTE);
    ends.add(end);
    child.on('error', (error) => console.error(error.message));
    child.on('exit', async (code) => {
      clearTimeout(timer);
      ends.delete(end);
      // A process that a step left behind may hold the output open.
      await Promise.race([once(child, 'close'), sleep(2_000)]);
      child.stdout.destroy();
      child.stderr.destroy();
      await ending;
      resolve({ succeeded: code === 0, tail });
    });
  });
}

/** Lists the messages of the tests that failed, and of suites that could not be loaded, by file. */
function jestFailures({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message }) => `${path.relative(PROJECT, name)}\n${message.slice(0, TAIL)}`);
}

/** Lists the names of the tests that failed; of a suite that could not be loaded, its file. */
function failedTests({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = path.relative(PROJECT, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length === 0 ? [file] : failed.map(({ fullName }) => `${file}: ${fullName}`);
    });
}

/** What jest counted. A suite that could not even be loaded is a failure, though none of its tests failed. */
function jestCounts(file) {
  if (!existsSync(file)) return undefined;
  const results = JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    failures: jestFailures(results),
    names: failedTests(results),
  };
}

async function run(step, folder) {
  const minutes = step.minutes ?? 3;
  if (!step.jest) {
    const { succeeded, tail } = await npm(step, minutes);
    return succeeded ? { passed: 1, failed: 0, failures: [] } : { passed: 0, failed: 1, failures: [tail] };
  }
  const file = path.join(folder, `${step.name}.json`);
  const separated = step.args.includes('--') ? step.args : [...step.args, '--'];
  const args = [...separated, '--json', `--outputFile=${file}`];
  const { succeeded, tail } = await npm({ ...step, args }, minutes);
  const counts = jestCounts(file) ?? { passed: 0, failed: 0, failures: [] };
  // Too little coverage, for example, fails no test.
  if (succeeded || counts.failed > 0) return counts;
  return { ...counts, failed: 1, failures: [tail], names: [step.name] };
}

const folder = mkdtempSync(path.join(tmpdir(), 'verify-'));
const summary = [];
/** Texts about what failed, which are printed again at the end: the output of a whole run is too long to search. */
const failureTexts = [];
/** Names of what failed, which are printed just before the counts: a log that is cut keeps its end. */
const failedNames = [];
const total = { passed: 0, failed: 0 };
/** @returns whether all is well */
async function take(step) {
  console.log(`\n── ${step.name}`);
  const started = performance.now();
  const { passed, failed, failures, names = failures.map(() => step.name) } = await run(step, folder);
  failedNames.push(...names);
  failureTexts.push(...failures.map((text) => `── ${step.name} failed\n${text}`));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  summary.push(
    `${failed === 0 ? '✓' : '✗'} ${step.name.padEnd(14)}${`${passed} passed, ${failed} failed`.padEnd(26)}${seconds} s`,
  );
  total.passed += passed;
  total.failed += failed;
  return failed === 0;
}

const beside = [];
for (const step of STEPS) {
  if (step.alone) await Promise.all(beside);
  const taken = take(step);
  if (step.beside) beside.push(taken);
  else if (!(await taken) && step.last) break;
}
await Promise.all(beside);
rmSync(folder, { recursive: true, force: true });
if (failureTexts.length > 0) console.log(`\n${failureTexts.join('\n\n')}`);
if (failedNames.length > 0) console.log(`\nFailed:\n${failedNames.map((name) => `  ${name}`).join('\n')}`);
console.log(`\n${summary.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
