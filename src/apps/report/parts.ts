import type { TokenUsage } from '../../lib/contract/values';
import type { RunReport } from '../../kinds/report/contract';
import { type Html, html, type Part } from './html';
import { number } from './shown-text';

/** Renders US dollars; unknown where the price of a call is. */
export function dollars(usd: number | null): string {
  if (usd === null) return 'unknown';
  return usd === 0 ? '$0' : `$${usd.toFixed(usd < 0.01 ? 5 : 4)}`;
}

/** Renders a time in UTC, without fractions of a second. */
export function time(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** Renders milliseconds in the unit that is easiest to read. */
export function duration(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export function section(id: string, title: string, content: Part): Html | undefined {
  const isEmpty = content === undefined || content === false || (Array.isArray(content) && content.length === 0);
  if (isEmpty) return undefined;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

/** Renders a table that scrolls where it is wider than the page. `numbers`: columns that are aligned at the end. */
export function table(label: string, head: readonly string[], rows: readonly Part[][], numbers: number[] = []): Html {
  const cell = (content: Part, index: number): Html =>
    html`<td${numbers.includes(index) && html` class="number"`}>${content}</td>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head.map((name, index) => html`<th scope="col" ${numbers.includes(index) && html` class="number"`}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map(cell)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function usageTable({ roles, tokenUsage }: Pick<RunReport, 'roles' | 'tokenUsage'>): Html | undefined {
  if (!tokenUsage) return undefined;
  const row = (name: Part, { modelCalls, promptTokens, completionTokens, totalTokens, usd }: TokenUsage): Part[] => [
    name,
    ...[modelCalls, promptTokens, completionTokens, totalTokens].map(number),
    dollars(usd),
  ];
  const head = ['role', 'model calls', 'prompt tokens', 'reply tokens', 'tokens', 'cost'];
  const rows = roles.map((each) => row(each.role, each.tokenUsage));
  return html`${table('Tokens and cost by role', head, [...rows, row(html`<strong>whole run</strong>`, tokenUsage)], [1, 2, 3, 4, 5])}
  ${tokenUsage.estimated && html`<p class="note">Some endpoints count no tokens; a part of these is estimated.</p>`}`;
}

export function facts(pairs: readonly (readonly [string, Part])[]): Html {
  return html`<dl>
    ${pairs.map(
      ([name, value]) =>
        value !== undefined &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

export function badge(text: string, kind: 'good' | 'bad' | 'open'): Html {
  return html`<span class="badge ${kind}">${text}</span>`;
}
