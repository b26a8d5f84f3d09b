import type { Comparison } from '../experiment/comparison';
import { renderPoints, renderCounts, renderPassedWith, renderPercent, renderRate } from '../experiment/conclusion-text';
import type { ExperimentReport, ArmRow } from '../experiment/rows';
import type { CaseOutcome } from '../experiment/outcome';
import { scoreText } from '../../lib/text/summary-text';
import { type Html, html, type Part } from './html';
import { documentOf } from './page';
import { dollars, duration, facts, section, table, time } from './parts';
import { number, outputText, textBlock } from './shown-text';
import { renderCount, renderCountAre } from '../../lib/text/counted';
import type { Estimate } from '../experiment/statistics';

const WIDTH = 640;
const ROW = 26;
const LABEL = 210;
const VALUE = 70;
const BOTTOM = 22;

interface IntervalRow {
  label: string;
  estimate: Estimate;
  text: string;
  kind?: 'pass' | 'fail' | undefined;
}

/** The axis goes from `from`, a multiple of 25, to `to`, both in percent. */
function intervalChart(label: string, rows: readonly IntervalRow[], from: number, to: number): Html {
  const height = rows.length * ROW + BOTTOM;
  const x = (share: number): string =>
    (LABEL + ((share * 100 - from) / (to - from)) * (WIDTH - LABEL - VALUE)).toFixed(1);
  const step = to - from > 100 ? 50 : 25;
  const ticks = Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <svg
      viewBox="0 0 ${WIDTH} ${height}"
      role="img"
      aria-label="${label}. ${rows.map((row) => `${row.label}: ${row.text}`).join('; ')}"
      class="chart"
    >
      ${ticks.map(
        (tick) =>
          html`<line
              class="grid${tick === 0 && ' zero'}"
              x1="${x(tick / 100)}"
              x2="${x(tick / 100)}"
              y1="0"
              y2="${height - BOTTOM}"
            />
            <text class="axis" x="${x(tick / 100)}" y="${height - 6}" text-anchor="middle">${tick}</text>`,
      )}
      ${rows.map(({ label: name, estimate: { value, low, high }, text, kind }, index) => {
        const y = index * ROW + ROW / 2;
        return html`<text class="axis" x="${LABEL - 8}" y="${y + 4}" text-anchor="end">${name}</text>
          <line class="line" x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}" />
          <circle class="${kind ?? 'point'}" cx="${x(value)}" cy="${y}" r="5" />
          <text class="value" x="${WIDTH - VALUE + 12}" y="${y + 4}">${text}</text>`;
      })}
    </svg>
  </div>`;
}

const MOST_CASES = 500;
const MOST_SHOWN = 30;
const MOST_OF_OUTPUT = 10_000;

const KINDS: Record<Comparison['conclusion'], 'pass' | 'fail' | 'inconclusive' | 'note'> = {
  better: 'pass',
  worse: 'fail',
  not_worth_its_cost: 'inconclusive',
  undecided: 'note',
  cheaper: 'note',
  no_difference: 'note',
};

function armTable(arms: readonly ArmRow[]): Html {
  const rows = arms.map((row): Part[] => {
    const { arm, passed, right, calls, tokens, usd, p50Ms, p95Ms, failed, unjudged, reasons } = row;
    const isMeasured = p50Ms !== undefined && p95Ms !== undefined;
    return [
      html`<strong>${arm}</strong>`,
      renderRate(passed),
      renderRate(right),
      calls ? calls.value.toFixed(2) : '–',
      tokens ? number(Math.round(tokens.value)) : '–',
      usd ? dollars(usd.value) : '–',
      isMeasured ? `${duration(p50Ms)} / ${duration(p95Ms)}` : '–',
      unjudged === undefined ? failed : `${failed}, ${unjudged} not judged`,
      renderCounts(reasons),
      renderPassedWith(row) ?? '–',
    ];
  });
  const head = ['arm', 'passed (95 %)', 'right (95 %)', 'calls', 'tokens', 'cost', 'p50 / p95', 'failed'];
  return table('Arms', [...head, 'ended by', 'passed with'], rows, [1, 2, 3, 4, 5, 6, 7]);
}

const isGood = ({ right, passed }: CaseOutcome): boolean => right ?? passed;

function outcomeCell(outcome: CaseOutcome | undefined): Part {
  if (!outcome) return '–';
  if (outcome.error) return html`<span class="fail">! ${outcome.error.type}</span>`;
  const { right, passed, score, usage, unjudged } = outcome;
  if (unjudged && right === undefined) return html`<span class="note">? not judged</span>`;
  const mark = isGood(outcome) ? html`<span class="pass">✓</span>` : html`<span class="fail">✗</span>`;
  const own = right !== undefined && right !== passed && (passed ? ', passed' : ', not passed');
  return html`${mark} ${scoreText(score)}${own}
    <span class="note">${renderCount(usage.totalTokens, 'token', number(usage.totalTokens))}</span>`;
}

function outputs(id: string, outcomes: readonly CaseOutcome[]): Html {
  return html`<details>
    <summary>${id}</summary>
    ${outcomes.map(
      (outcome) =>
        html`<h3>${outcome.arm}: ${outcomeCell(outcome)}</h3>
          ${
            outcome.error
              ? html`<p class="fail">${outcome.error.message}</p>`
              : textBlock(outputText(outcome.output), `${outcome.arm} on ${id}`, MOST_OF_OUTPUT)
          }
          <p class="note">${outcome.workflowIds.map((run) => html`<code>${run}</code> `)}</p>`,
    )}
  </details>`;
}

function caseSections({ arms, outcomes }: ExperimentReport): Part {
  const cases = new Map<string, CaseOutcome[]>();
  for (const outcome of outcomes) cases.set(outcome.case, [...(cases.get(outcome.case) ?? []), outcome]);
  const all = [...cases];
  const rows = all
    .slice(0, MOST_CASES)
    .map(([id, own]): Part[] => [
      id,
      ...arms.map(({ arm }) => outcomeCell(own.find((outcome) => outcome.arm === arm))),
    ]);
  const apart = all.filter(([, own]) => own.some((outcome) => isGood(outcome) !== isGood(own[0]!)));
  const more = (left: number): Part =>
    left > 0 && html`<p class="note">${renderCountAre(left, 'more case', number(left))} not shown.</p>`;
  return [
    section(
      'apart',
      'Where the arms differ',
      apart.length > 0 && [
        apart.slice(0, MOST_SHOWN).map(([id, own]) => outputs(id, own)),
        more(apart.length - MOST_SHOWN),
      ],
    ),
    section('cases', 'Cases', [
      table('Cases', ['case', ...arms.map(({ arm }) => arm)], rows),
      more(all.length - MOST_CASES),
    ]),
  ];
}

export function experimentPage(report: ExperimentReport, madeAt: string): string {
  const { name, arms, comparisons, conclusions, cautions, outcomes } = report;
  const cases = new Set(outcomes.map((outcome) => outcome.case)).size;
  const by = arms.some(({ right }) => right) ? 'right' : 'passed';
  const shares = arms.map((row) => {
    const estimate = row[by] ?? row.passed;
    return { label: row.arm, estimate, text: `${renderPercent(estimate.value)} %` };
  });
  const differences = comparisons.map((each) => {
    const kind = KINDS[each.conclusion];
    return {
      label: `${each.arm} – ${each.against}`,
      estimate: each.difference,
      text: renderPoints(each.difference.value),
      kind: kind === 'pass' || kind === 'fail' ? kind : undefined,
    };
  });
  return documentOf({
    title: name,
    head: html`<span class="note">experiment</span>`,
    main: [
      facts([
        ['cases', number(cases)],
        ['arms', arms.length],
        ['runs', number(outcomes.reduce((sum, { workflowIds }) => sum + workflowIds.length, 0))],
        ['compared by', by],
      ]),
      cautions.map((caution) => html`<p class="notice">${caution}</p>`),
      section(
        'conclusions',
        'What can be said',
        conclusions.length > 0 &&
          html`<ul>
            ${conclusions.map((text, index) => html`<li class="${KINDS[comparisons[index]!.conclusion]}">${text}</li>`)}
          </ul>`,
      ),
      section('arms', 'Arms', [
        armTable(arms),
        html`<h3>Share that ${by === 'right' ? 'is right' : 'passed'}, in percent, with 95 % intervals</h3>`,
        intervalChart('Shares', shares, 0, 100),
      ]),
      section(
        'differences',
        'Differences on the same cases, in percentage points, with 95 % intervals',
        differences.length > 0 && intervalChart('Differences', differences, -100, 100),
      ),
      caseSections(report),
    ],
    footer: html`experiment · as of ${time(madeAt)}`,
  });
}
