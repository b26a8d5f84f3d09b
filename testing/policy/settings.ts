import Table from 'cli-table3';
import { ours } from './ours';
import type { Policy } from './policies';
import { inDearestRegime, inWorstRegime, type Outcome } from './targets';
import { meanOf, type Measures } from './measures';
import { trueQuality } from './world';

const VERSIONS = 3;

/**
 * No loop that has each version judged once gets further within three versions: it never stops before the third, its writer is
 * told of all that was ever reported and goes another way each time, and it knows the truth about which version to revise.
 */
const oneJudgementEach: Policy = (world) => {
  const versions = [world.draft()];
  const told = new Set<number>();
  let base = versions[0]!;
  while (versions.length < VERSIONS) {
    for (const flaw of world.judge(versions.at(-1)!)?.reported ?? []) told.add(flaw);
    const last = versions.at(-1)!;
    if (trueQuality(last) >= trueQuality(base)) base = last;
    versions.push(world.revise(base, [...told], versions.length === 1 ? 'targeted_edit' : 'incremental'));
  }
  return { versions, returned: VERSIONS - 1 };
};

/** What else a spec may ask for, and the most that there is to have without. */
export const OTHER_SETTINGS: Record<string, Policy> = {
  'judge: { second }': ours({ judge: { second: { type: 'llm' } } }),
  'judge: { votes: 2 }': ours({ judge: { votes: 2 } }),
  'judge: { votes: 3 }': ours({ judge: { votes: 3 } }),
  'at most, one judgement each': oneJudgementEach,
};

/**
 * What other settings buy.
 *
 * @param outcome of `ours` and of the other settings, by regime
 */
export function settingsTable(outcome: Outcome): string {
  const table = new Table({
    head: ['setting', 'truly good', 'calls', 'of best of N, at most', 'good in 3, at least'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    style: { head: ['bold'] },
  });
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  for (const name of ['ours', ...Object.keys(OTHER_SETTINGS)]) {
    const of = (by: Record<string, Measures>): Measures => by[name]!;
    const { good, calls } = meanOf(Object.values(outcome).map(of));
    const [dearest, share] = inDearestRegime(outcome, of);
    const [slowest, soon] = inWorstRegime(outcome, of);
    table.push([
      name === 'ours' ? 'ours, by default' : name,
      good.toFixed(3),
      calls.toFixed(2),
      `${percent(share)} (${dearest})`,
      `${percent(soon)} (${slowest})`,
    ]);
  }
  return table.toString();
}
