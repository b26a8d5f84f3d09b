import type { Estimate } from '../experiment/statistics';
import { type Html, html } from './html';

const WIDTH = 640;
const ROW = 26;
const LABEL = 210;
const VALUE = 70;
const BOTTOM = 22;

/** A value with its interval. The label is short. */
interface IntervalRow {
  label: string;
  estimate: Estimate;
  text: string;
  /** Class of the mark. */
  kind?: 'pass' | 'fail' | undefined;
}

/**
 * Renders values with their intervals.
 *
 * @param from left end of the axis, a multiple of 25
 * @param to right end; both in percent
 */
export function intervalChart(label: string, rows: readonly IntervalRow[], from: number, to: number): Html {
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
