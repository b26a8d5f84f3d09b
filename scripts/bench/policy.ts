/**
 * Judges the loop's decisions without a model: a seeded simulation of imperfect writers and judges, in regimes that the
 * policy does not know. The policy under test is called through the same functions of `src/domain` as a workflow calls them.
 *
 *   npm run bench:policy                                   seeds from 1,000,001 on, 2,000 tasks a regime
 *   npm run bench:policy -- --seed 1 --tasks 500           others; constants are chosen on seeds 1 to 1,000
 *   npm run bench:policy -- --regimes FILE --judge criteria
 *   npm run bench:policy -- --check                        fails where a target is missed
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import pc from 'picocolors';
import { measure, meanOf, type Measures } from './policy/measures';
import { ours } from './policy/ours';
import { OTHER_POLICIES, type Policy } from './policy/policies';
import { readRegimes } from './policy/regimes';
import { type Outcome, targetsOf } from './policy/targets';

const MAX_ITERATIONS = 6;
const QUALITY_THRESHOLD = 0.8;
const POLICIES: Record<string, Policy> = { ours: ours(), ...OTHER_POLICIES };

const COLUMNS: [string, (measures: Measures) => string][] = [
  ['quality', ({ quality }) => quality.toFixed(3)],
  ['truly good', ({ good }) => good.toFixed(3)],
  ['calls', ({ calls }) => calls.toFixed(2)],
  ['tokens', ({ tokens }) => tokens.toFixed(0)],
  ['improved', ({ improved }) => share(improved)],
  ['good in 3', ({ soon }) => share(soon)],
  ['resolved', ({ resolved }) => share(resolved)],
  ['of revised', ({ revised }) => share(revised)],
  ['agreement', ({ agreed }) => share(agreed)],
  ['efficient', ({ efficient }) => share(efficient)],
];

function share(value: number | undefined): string {
  return value === undefined ? '–' : `${(value * 100).toFixed(0)} %`;
}

function tableOf(title: string, byPolicy: Record<string, Measures>): string {
  const table = new Table({
    head: [title, ...COLUMNS.map(([name]) => name)],
    colAligns: ['left', ...COLUMNS.map(() => 'right' as const)],
    style: { head: ['bold'] },
  });
  for (const [name, measures] of Object.entries(byPolicy)) {
    const cells = [name, ...COLUMNS.map(([, cell]) => cell(measures))];
    table.push(name === 'ours' ? cells.map((cell) => pc.cyan(cell)) : cells);
  }
  return table.toString();
}

function main(): void {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1000001' },
      tasks: { type: 'string' },
      regimes: { type: 'string' },
      judge: { type: 'string', default: 'llm' },
      check: { type: 'boolean', default: false },
    },
  });
  const judge = values.judge === 'criteria' ? 'criteria' : 'llm';
  const seed = Number(values.seed);
  const outcome: Outcome = {};
  for (const [name, regime] of Object.entries(readRegimes(values.regimes))) {
    const tasks = values.tasks === undefined ? regime.tasks : Number(values.tasks);
    const options = { maxIterations: MAX_ITERATIONS, qualityThreshold: QUALITY_THRESHOLD };
    outcome[name] = Object.fromEntries(
      Object.entries(POLICIES).map(([policy, run]) => [
        policy,
        measure(run, { ...regime, tasks }, judge, seed, options),
      ]),
    );
    console.log(tableOf(name, outcome[name]));
  }
  const mean = Object.fromEntries(
    Object.keys(POLICIES).map((policy) => [policy, meanOf(Object.values(outcome).map((regime) => regime[policy]!))]),
  );
  console.log(tableOf('mean of regimes', mean));
  const targets = targetsOf(outcome, mean);
  const table = new Table({ head: ['target', 'wanted', 'got', ''], style: { head: ['bold'] } });
  for (const { what, wanted, got, met } of targets) table.push([what, wanted, got, met ? pc.green('✓') : pc.red('✗')]);
  console.log(table.toString());
  console.log(`Simulated, seeds from ${seed} on, judge: ${judge}. No model was called.`);
  process.exitCode = values.check && targets.some(({ met }) => !met) ? 1 : 0;
}

main();
