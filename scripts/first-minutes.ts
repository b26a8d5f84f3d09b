/**
 * Does what somebody new does in the first minutes, from the tarball and with empty caches, and measures how long each step takes
 * on this machine; the time in which a person reads and types is not in it. Ends with exit code 1 when a trial takes longer than it
 * may, or fails. Let nothing else run beside it.
 *
 *   npm run first-minutes                    all trials
 *   npm run first-minutes -- Python Java     the first, which the others need, and those whose name has one of these words
 */
import { cpSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FreshMachine } from '../testing/first-minutes/fresh-machine';
import { TARBALL, type Trial, TRIALS } from '../testing/first-minutes/trials';
import { packedPackage } from '../testing/support/packed-package';

function printLine(name: string, seconds: number, more = ''): void {
  console.log(`${name.padEnd(44)} ${seconds.toFixed(1).padStart(7)} s  ${more}`);
}

/** Runs a trial, and prints its steps. Returns whether it was done in its time. */
async function runTrial(machine: FreshMachine, trial: Trial): Promise<boolean> {
  const missing = trial.missing?.();
  if (missing !== undefined) {
    console.log(`${trial.name}: not tried, there is no ${missing} on this machine`);
    return true;
  }
  let total = 0;
  try {
    await trial.prepare?.(machine);
    await trial.run(machine, async (step, work) => {
      const began = performance.now();
      const result = await work();
      const seconds = (performance.now() - began) / 1_000;
      total += seconds;
      printLine(`  ${step}`, seconds, `load ${os.loadavg()[0]!.toFixed(1)}`);
      return result;
    });
  } catch (error) {
    console.log(`${trial.name}: failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
  const isInTime = total < trial.mostSeconds;
  printLine(trial.name, total, `of ${trial.mostSeconds} s${isInTime ? '' : ': too long'}`);
  return isInTime;
}

async function main(words: readonly string[]): Promise<void> {
  const isAsked = ({ name }: Trial): boolean => words.length === 0 || words.some((word) => name.includes(word));
  const tarball = await packedPackage();
  const machine = new FreshMachine();
  try {
    cpSync(tarball, path.join(machine.folder, TARBALL));
    console.log(`${os.cpus().length} processors, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}`);
    for (const [index, trial] of TRIALS.entries()) {
      if (index > 0 && !isAsked(trial)) continue;
      if (!(await runTrial(machine, trial))) process.exitCode = 1;
      // Without the server and the worker of the first, nothing after it can succeed.
      if (machine.env['TEMPORAL_ADDRESS'] === undefined) return;
    }
  } finally {
    machine.close();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
