import { setTimeout as sleep } from 'node:timers/promises';
import type { LimitCase } from './limit-case';
import { OTHER_VOLUMES } from './other-volumes';
import { volumeCases } from './volume-cases';

/** When the worker is killed, in milliseconds after it was ready. */
const KILLS = [1_500, 4_000];

/** What is worth a crash: what is slow enough to be under way, of each kind of run. */
const UNDER_WAY = [
  'outputs of 1 MB',
  '100 rounds of tools',
  '200 tools at once',
  '400 iterations',
  '40 evaluators with 50 issues of 3 KB',
  '50 criteria with 9 votes',
  'a judge at length with 9 votes',
  'plan of 100 tasks at once',
  'plan of 20 tasks of 1.85 MB',
  'plan of 100 loops',
  'pipeline of 10 loops of 500 KB',
  'evaluation of 1 MB by 20 judges',
  'inside ten loops of 1 MB',
];

/** Runs at a limit whose worker is killed twice in the middle: the next one has to replay all of it. */
export function crashCases(): LimitCase[] {
  const all = [...volumeCases(), ...OTHER_VOLUMES];
  return UNDER_WAY.map((name) => {
    const found = all.find((one) => one.name === `volume ${name}`);
    if (!found) throw new Error(`there is no case "volume ${name}"`);
    return {
      ...found,
      name: `crash ${name}`,
      seconds: (found.seconds ?? 90) + 60,
      kills: KILLS.length,
      // It gets a worker of its own, so that no other run is killed.
      beforeWorker: () => Promise.resolve(),
      meanwhile: async ({ worker }) => {
        for (const after of KILLS) {
          await sleep(after);
          await worker.kill();
        }
      },
    };
  });
}
