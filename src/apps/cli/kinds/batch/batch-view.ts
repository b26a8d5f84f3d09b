import pc from 'picocolors';
import { countEndedItems, passRate } from '../../../../kinds/batch/state/counts';
import type { BatchProgress, BatchResult } from '../../../../kinds/batch/contract/batch-results';
import { renderPercent } from '../../../../kinds/batch/page/batch-page';
import type { BatchSpec } from '../../../../kinds/batch/contract/batch';
import type { Teller } from '../../follow/follow-parts';
import { makeFollow, makeShow, type RunView } from '../../show/run-view';
import { command, count, seconds } from '../../views/printable';
import { costText } from '../../views/result-view';

const BAR = 20;

const number = (value: number): string => value.toLocaleString('en');

function bar(done: number, all: number): string {
  const full = Math.floor((BAR * done) / Math.max(1, all));
  return `[${'█'.repeat(full)}${'░'.repeat(BAR - full)}]`;
}

export function batchStanding(progress: BatchProgress): string {
  const { phase, items, running, failed, unjudged = 0, warned = 0, budgetSpent } = progress;
  const ended = countEndedItems(progress);
  return [
    `${number(ended)} of ${count(items, 'item')} (${renderPercent(items === 0 ? null : ended / items)})`,
    ...(ended === 0 ? [] : [`${renderPercent(passRate(progress))} passed`]),
    ...(failed === unjudged ? [] : [`${number(failed - unjudged)} failed`]),
    ...(unjudged === 0 ? [] : [`${number(unjudged)} not judged`]),
    ...(warned === 0 ? [] : [`${number(warned)} with warnings`]),
    ...(phase === 'running' ? [`${number(running)} running`] : [phase]),
    ...(budgetSpent ? ['budget spent'] : []),
  ].join(' · ');
}

export function batchDoing(progress: BatchProgress, rate: number | undefined): string {
  const { items } = progress;
  const ended = countEndedItems(progress);
  const speed = rate === undefined ? [] : [`${rate.toFixed(1)}/s`, `${seconds(((items - ended) / rate) * 1_000)} left`];
  return [`${bar(ended, items)} ${batchStanding(progress)}`, ...speed].join(' · ');
}

export function batchText(result: BatchResult): string {
  const { items, passed, notPassed, failed, unjudged = 0, warned = 0, notStarted } = result;
  const { budgetSpent, executionTime, tokenUsage } = result;
  const mark = passed === items && warned === 0 ? pc.green('✓') : pc.yellow('!');
  const head = [
    `${mark} ${number(passed)} of ${count(items, 'item')} passed (${renderPercent(passRate(result))} of those that ended${unjudged === 0 ? '' : ' and were judged'})`,
    seconds(executionTime),
    costText(tokenUsage),
  ].join(' · ');
  const others = [
    ...(notPassed === 0 ? [] : [`${number(notPassed)} not passed: their loops ended without a good enough version`]),
    ...(failed === unjudged ? [] : [`${number(failed - unjudged)} failed`]),
    ...(unjudged === 0 ? [] : [`${number(unjudged)} could not be judged`]),
    ...(warned === 0 ? [] : [`${number(warned)} with warnings: the results say which`]),
    ...(notStarted === 0 ? [] : [`${number(notStarted)} not started${budgetSpent ? ': the budget is spent' : ''}`]),
  ];
  const again =
    failed + notStarted === 0
      ? []
      : [
          `Run what failed${unjudged === 0 ? '' : ', was not judged'} or was not started again: the same command with --retry`,
        ];
  return [head, ...others.map((line) => `  ${line}`), ...again].join('\n');
}

/** The time over which the rate is measured: long enough for slow loops, short enough to show a stop. */
const WINDOW_MS = 60_000;

class Rate {
  #seen: { at: number; ended: number }[] = [];

  /** Items a second over the last minute, at a time in epoch milliseconds; undefined at first. */
  look(progress: BatchProgress, at: number): number | undefined {
    const ended = countEndedItems(progress);
    this.#seen.push({ at, ended });
    while (this.#seen.length > 2 && this.#seen[1]!.at <= at - WINDOW_MS) this.#seen.shift();
    const [first] = this.#seen;
    if (at > first!.at && ended > first!.ended) return ((ended - first!.ended) * 1_000) / (at - first!.at);
    return undefined;
  }
}

function batchTeller({ write }: Teller): (progress: BatchProgress) => Promise<void> {
  let told = -1;
  return (progress) => {
    const tenth = Math.floor((10 * countEndedItems(progress)) / Math.max(1, progress.items));
    if (tenth > told) write([batchStanding(progress)]);
    told = Math.max(told, tenth);
    return Promise.resolve();
  };
}

export const batchView: RunView<BatchSpec> = {
  cancelled: ', and with it the loops that are under way',
  shown: makeShow((client) => client.batches, {
    endSaysAll: true,
    output: () => undefined,
    noOutput: () => ['The results of a batch are those of its items.', 'See `npx reflect batch results ID`.'],
    resultText: batchText,
    standing: (progress, { workflowId }) => [
      batchStanding(progress),
      '',
      `Its results so far: ${command(`npx reflect batch results ${workflowId}`)}`,
    ],
  }),
  name: ({ name }) => name ?? 'batch',
  follow: (...following) => {
    const rate = new Rate();
    const follow = makeFollow((client) => client.batches, {
      teller: batchTeller,
      doing: (progress) => batchDoing(progress, rate.look(progress, Date.now())),
      usage: ({ tokenUsage }) => tokenUsage,
      since: ({ startedAt }) => Date.parse(startedAt),
      isGood: ({ items, passed }) => passed === items,
      resultText: batchText,
    });
    return follow(...following);
  },
};
