import type { ReflectionVersion } from '../../loop/state/loop-state';
import { scoreText } from '../../lib/text/summary-text';
import { type Html, html } from './html';

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 36;
const RIGHT = 14;
const TOP = 22;
const BOTTOM = 26;
const MOST_LABELS = 20;

const y = (score: number): number => TOP + (1 - score) * (HEIGHT - TOP - BOTTOM);

const round = (value: number): string => value.toFixed(1);

/** Draws the scores of versions. A version that could not be judged has a mark at the bottom. */
export function scoreChart(versions: readonly ReflectionVersion[], bestIteration: number | null): Html {
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, versions.length);
  const x = (index: number): number => LEFT + step * (index + 0.5);
  const points = versions.map(({ iteration, evaluation }, index) => ({
    iteration,
    outcome: evaluation.outcome,
    score: evaluation.overallScore,
    at: x(index),
  }));
  const line = points.flatMap(({ score, at }) => (score === null ? [] : [`${round(at)},${round(y(score))}`]));
  const every = Math.ceil(points.length / MOST_LABELS);
  const told = points.map(({ iteration, score, outcome }) => `version ${iteration}: ${scoreText(score)}, ${outcome}`);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Scores. ${told.join('; ')}" class="chart">
    ${[0, 0.25, 0.5, 0.75, 1].map(
      (score) =>
        html`<line
            class="grid"
            x1="${LEFT}"
            x2="${WIDTH - RIGHT}"
            y1="${round(y(score))}"
            y2="${round(y(score))}"
          /><text class="axis" x="${LEFT - 6}" y="${round(y(score) + 4)}" text-anchor="end">${score.toFixed(2)}</text>`,
    )}
    ${line.length > 1 && html`<polyline class="line" points="${line.join(' ')}" />`}
    ${points.map(({ iteration, score, outcome, at }, index) => {
      const height = y(score ?? 0);
      const isBest = iteration === bestIteration;
      return html`${isBest && html`<circle class="best" cx="${round(at)}" cy="${round(height)}" r="9" />`}
        <circle class="${outcome}" cx="${round(at)}" cy="${round(height)}" r="5"><title>${told[index]}</title></circle>
        ${
          (index % every === 0 || isBest) &&
          html`<text class="axis" x="${round(at)}" y="${HEIGHT - 8}" text-anchor="middle">${iteration}</text>`
        }
        ${
          points.length <= MOST_LABELS &&
          html`<text class="value" x="${round(at)}" y="${round(height - 13)}" text-anchor="middle"
            >${scoreText(score)}</text
          >`
        }`;
    })}
  </svg>`;
}
