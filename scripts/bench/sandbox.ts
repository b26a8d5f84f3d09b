/**
 * How long inline code takes: `npm run bench:sandbox`. Warm: a process stands ready when the call comes. Cold: none does. Sustained: one call
 * after the other, so that every call after the first two waits for a process to be loaded.
 */
import { availableParallelism } from 'node:os';
import type { StepLanguage } from '../../src/lib/sandbox/languages';
import { createSandbox, type Execution } from '../../src/lib/sandbox';

const CODE: Record<StepLanguage, string> = {
  javascript: 'return { valid: output.length > 3, score: output.length / 10 }',
  lua: 'return { valid = #output > 3, score = #output / 10 }',
  prolog: 'output(O), string_length(O, L), S is L / 10.0, Result = _{valid: true, score: S}.',
  python: 'import json, re\nresult = {"valid": bool(re.match("\\\\w+", output)), "score": len(output) / 10}',
};
/** Milliseconds that a warm call may take at the median. */
const GOALS: Record<StepLanguage, number> = { javascript: 25, lua: 25, prolog: 60, python: 150 };
const CALLS = 15;
const SUSTAINED_MS = 10_000;
const REFILL_MS = 30_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const at = (values: number[], share: number) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

async function measure(language: StepLanguage): Promise<void> {
  const executions: Execution[] = [];
  const sandbox = createSandbox({ onExecution: (execution) => executions.push(execution) });
  const call = async (): Promise<number> => {
    const started = performance.now();
    await sandbox.run({ language, code: CODE[language], inputs: { state: {}, output: 'abcdef' } });
    return performance.now() - started;
  };
  const first = await call();
  const warm: number[] = [];
  const cold: number[] = [];
  const deadline = Date.now() + CALLS * REFILL_MS;
  while (warm.length < CALLS && Date.now() < deadline) {
    await sandbox.warm(language);
    await sleep(20);
    warm.push(await call());
    // The pool has two: the third of three at once finds none.
    if (cold.length < 5) {
      await sandbox.warm(language);
      const times = await Promise.all([call(), call(), call()]);
      cold.push(Math.max(...times));
    }
  }
  await sandbox.warm(language);
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < SUSTAINED_MS) {
    await call();
    count += 1;
  }
  const perSecond = count / ((performance.now() - started) / 1000);
  const memory = Math.max(...executions.map(({ memoryBytes = 0 }) => memoryBytes)) / 1024 / 1024;
  await sandbox.close();
  const median = at(warm, 0.5);
  console.log(
    `${language.padEnd(11)} warm p50 ${median.toFixed(0).padStart(4)} ms (goal ${GOALS[language]}), p95 ${at(warm, 0.95).toFixed(0).padStart(4)} ms; ` +
      `cold ${at(cold, 0.5).toFixed(0)} ms, first of a worker ${first.toFixed(0)} ms; sustained ${perSecond.toFixed(1)}/s; ${memory.toFixed(0)} MiB`,
  );
  if (median > GOALS[language]) process.exitCode = 1;
}

async function main(): Promise<void> {
  console.log(
    `${availableParallelism()} processors, level ${createSandbox().level}, ${process.memoryUsage().rss >> 20} MiB before`,
  );
  for (const language of ['javascript', 'lua', 'prolog', 'python'] as const) await measure(language);
  console.log(`${process.memoryUsage().rss >> 20} MiB of this process after`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
