import { textOf } from '../../lib/json/json';
import { renderCount } from '../../lib/text/counted';
import { oneLine } from '../../lib/text/summary-text';
import type { ReflectionEvaluation } from '../../loop/contract/evaluation';
import type { CallRecord, KeptCalls } from '../../loop/contract/calls';
import { callLine } from '../../loop/evidence/evidence-text';
import { type Html, html, type Part } from './html';
import { table, time } from './parts';
import { number, textBlock } from './shown-text';

const MARKS: Record<CallRecord['outcome'], Html> = {
  ok: html`<span class="pass">✓</span>`,
  error: html`<span class="fail">✗</span>`,
  not_made: html`<span>–</span>`,
};

const LINE = 200;

function callDetails(call: CallRecord): Html {
  const { arguments: given, result, resultBytes, outcome, source, startedAt, attempt } = call;
  const size =
    resultBytes !== undefined &&
    html` The result has ${renderCount(resultBytes, 'byte', number(resultBytes))}, and is not whole here.`;
  return html`<li>
    <details>
      <summary>
        ${MARKS[outcome]} ${oneLine(callLine(call), LINE)}
        ${source === 'reported' && html`<span class="note">reported by its agent, not recorded</span>`}
      </summary>
      ${given !== undefined && textBlock(textOf(given), 'Arguments')}
      ${result !== undefined && textBlock(result, 'Result')}
      <p class="note">
        ${startedAt && time(startedAt)}${attempt !== undefined && attempt > 1 && `, attempt ${attempt}`}${size}
      </p>
    </details>
  </li>`;
}

export function proofTable({ proofs = [] }: Pick<ReflectionEvaluation, 'proofs'>): Part {
  if (proofs.length === 0) return undefined;
  const rows = proofs.map(({ criterion, claim, record }): Part[] => [
    html`${criterion}${claim !== undefined && html` <span class="note">${claim}</span>`}`,
    record === undefined ? html`<span class="fail">✗ unproven</span>` : html`<span class="pass">✓</span> ${record}`,
  ]);
  return table('Claims and their records', ['claim', 'record'], rows);
}

export function callList({ calls = [], callsOmitted = 0 }: KeptCalls, title = 'Calls'): Part {
  if (calls.length === 0) return undefined;
  const omitted = renderCount(callsOmitted, 'older call', number(callsOmitted));
  return html`<h4>${title}</h4>
    ${callsOmitted > 0 && html`<p class="note">${omitted} left out.</p>`}
    <ol>
      ${calls.map(callDetails)}
    </ol>`;
}
