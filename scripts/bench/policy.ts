/**
 * Judges the loop's decisions without a model: a seeded simulation of imperfect writers and judges, in regimes that the
 * policy does not know. The policy under test is called through the same functions of `src/loop` as a workflow calls them.
 *
 *   npm run bench:policy                                   seeds from 1,000,001 on, 2,000 tasks a regime
 *   npm run bench:policy -- --seed 1 --tasks 500           others; constants are chosen on seeds 1 to 1,000
 *   npm run bench:policy -- --regimes FILE --judge criteria
 *   npm run bench:policy -- --check                        fails where a target is missed
 *   OPENAI_BASE_URL=… npm run bench:policy -- --times 3    with a model (or OPENAI_API_KEY): real loops over examples/
 *   OPENAI_BASE_URL=… npm run bench:policy -- --simulate   the simulation all the same; so does each of its own options
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import pc from 'picocolors';
import { measure, type Measures, meanOf } from '../../testing/policy/measures';
import { ours } from '../../testing/policy/ours';
import { OTHER_POLICIES, type Policy } from '../../testing/policy/policies';
import { benchReal, isForRealLoops } from '../../testing/policy/real';
import { readRegimes } from '../../testing/policy/regimes';
import { OTHER_SETTINGS, settingsTable } from '../../testing/policy/settings';
import { tableOf } from '../../testing/policy/table';
import { type Outcome, targetsOf } from '../../testing/policy/targets';

const MAX_ITERATIONS = 6;
const QUALITY_THRESHOLD = 0.8;
/** Nothing was chosen on seeds from here on. */
const FIRST_SEED = 1_000_001;
const POLICIES: Record<string, Policy> = { ours: ours(), ...OTHER_POLICIES };

/** The policies that are compared, without the settings that have a table of their own. */
function pick(measures: Record<string, Measures>): Record<string, Measures> {
  return Object.fromEntries(Object.keys(POLICIES).map((policy) => [policy, measures[policy]!]));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      tasks: { type: 'string' },
      regimes: { type: 'string' },
      judge: { type: 'string' },
      check: { type: 'boolean' },
      simulate: { type: 'boolean' },
      times: { type: 'string' },
    },
  });
  if (isForRealLoops(values, process.env)) {
    process.exitCode = await benchReal(Math.max(1, Number(values.times) || 1));
    return;
  }
  const judge = values.judge === 'criteria' ? 'criteria' : 'llm';
  const seed = Number(values.seed ?? FIRST_SEED);
  const outcome: Outcome = {};
  for (const [name, regime] of Object.entries(readRegimes(values.regimes))) {
    const tasks = values.tasks === undefined ? regime.tasks : Number(values.tasks);
    const options = { maxIterations: MAX_ITERATIONS, qualityThreshold: QUALITY_THRESHOLD };
    outcome[name] = Object.fromEntries(
      Object.entries({ ...POLICIES, ...OTHER_SETTINGS }).map(([policy, run]) => [
        policy,
        measure(run, { ...regime, tasks }, judge, seed, options),
      ]),
    );
    console.log(tableOf(name, pick(outcome[name])));
  }
  const mean = Object.fromEntries(
    Object.keys(POLICIES).map((policy) => [policy, meanOf(Object.values(outcome).map((regime) => regime[policy]!))]),
  );
  console.log(tableOf('mean of regimes', mean));
  const targets = targetsOf(outcome, mean);
  const table = new Table({ head: ['target', 'wanted', 'got', ''], style: { head: ['bold'] } });
  for (const { what, wanted, got, met } of targets) table.push([what, wanted, got, met ? pc.green('✓') : pc.red('✗')]);
  console.log(table.toString());
  console.log(settingsTable(outcome));
  console.log(`Simulated, seeds from ${seed} on, judge: ${judge}. No model was called.`);
  process.exitCode = values.check && targets.some(({ met }) => !met) ? 1 : 0;
}

void main();
