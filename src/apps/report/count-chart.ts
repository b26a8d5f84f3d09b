import { type Html, html } from './html';
import { number } from './shown-text';

const WIDTH = 640;
const ROW = 24;
const LABEL = 170;
const VALUE = 70;

/** Counts as bars with their numbers. The labels are short: names of ours, or numbers. */
export function countChart(label: string, rows: readonly (readonly [string, number])[]): Html {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const told = rows.map(([name, count]) => `${name}: ${number(count)}`).join('; ');
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <svg viewBox="0 0 ${WIDTH} ${rows.length * ROW}" role="img" aria-label="${label}. ${told}" class="chart">
      ${rows.map(([name, count], index) => {
        const top = index * ROW;
        const width = ((WIDTH - LABEL - VALUE) * count) / most;
        return html`<text class="axis" x="${LABEL - 8}" y="${top + 16}" text-anchor="end">${name}</text>
          <rect class="bar" x="${LABEL}" y="${top + 4}" width="${width.toFixed(1)}" height="${ROW - 8}" />
          <text class="value" x="${(LABEL + width + 6).toFixed(1)}" y="${top + 16}">${number(count)}</text>`;
      })}
    </svg>
  </div>`;
}
