import type { AvailableCommand } from '../../../loop/commands/available';
import { formOf } from '../steer/given-output';
import type { Json } from '../../../lib/json/json';
import { GUIDE_CHARACTERS } from '../../../loop/base/command-payloads';
import { escapeHtml, type Html, html, type Part } from '../../report/html';
import { outputText } from '../../report/shown-text';
import { answersForm } from './answers-form';
import { area, type Decided, findTyped, form, reasonField } from './form-parts';

const MOST_EDITED = 100_000;

function takenMeanwhile({ progress, version }: Decided): AvailableCommand[] {
  const { phase, iteration } = progress;
  if (phase === 'done') return [];
  const ending: AvailableCommand = { name: 'abort', payload: {} };
  if (phase === 'remembering' || phase === 'preparing') return [ending];
  return [
    // Only a version that the page shows.
    ...(version?.iteration === iteration ? [{ name: 'accept' as const, payload: { iteration } }] : []),
    { name: 'guide', payload: {} },
    { name: 'override', payload: {} },
    { name: 'extend', payload: { iterations: 2 } },
    ending,
  ];
}

function reason(decided: Decided, command: string): Html {
  return reasonField(`${command}-reason`, 'reason', 'Why, for the record', findTyped(decided, command, 'reason'));
}

function failedNote({ progress }: Decided): Part {
  const { failedChecks = [] } = progress.waitingFor ?? {};
  return (
    failedChecks.length > 0 &&
    html`<p class="notice fail" id="accept-fails">This version fails: ${failedChecks.join(', ')}.</p>`
  );
}

function accept(decided: Decided, payload: AvailableCommand['payload']): Part {
  const { iteration, best } = decided.progress;
  const offered = Number(payload['iteration'] ?? iteration);
  const other =
    best && best.iteration !== offered
      ? form(
          decided,
          'accept',
          html`<button id="accept-best">Accept version ${best.iteration}, the best, instead</button>`,
          { best: '1' },
        )
      : undefined;
  return [
    form(
      decided,
      'accept',
      html`${reason(decided, 'accept')}<button id="accept" class="main">Accept version ${offered}</button>
        ${failedNote(decided)}
        <p class="hint">The run ends with this version.</p>`,
      { version: String(offered) },
    ),
    other,
  ];
}

function guide(decided: Decided): Part {
  const typed = findTyped(decided, 'guide', 'text');
  const attributes = html`id="guide-text" name="text" maxlength="${GUIDE_CHARACTERS}" required
  ${typed !== undefined && html`data-typed`}`;
  return form(
    decided,
    'guide',
    html`<label><span>What the next version should do</span>${area(attributes, typed ?? '')}</label
      ><button id="guide" ${!decided.progress.waitingFor?.waits && html`class="main"`}>
        Send to the next revision
      </button>`,
  );
}

/** Returns the text to begin an edit with; empty where a form would change it. */
function editable(output: Json | undefined): string {
  const text = output === undefined ? '' : outputText(output);
  const isChanged = escapeHtml(text).includes('⟦U+') && !text.includes('⟦U+');
  return text.length > MOST_EDITED || isChanged || text.includes('\r') ? '' : text;
}

function override(decided: Decided): Part {
  const { version, progress } = decided;
  const output = version?.output;
  const format = formOf(version);
  const isJson = format === 'json';
  const typed = findTyped(decided, 'override', 'output');
  const isText = findTyped(decided, 'override', 'text') !== undefined;
  const attributes = html`id="override-output" name="output" class="whole" required
  ${typed !== undefined && html`data-typed`}`;
  const content = html`<label
      ><span>Your version${isJson && ', as JSON'}</span>${area(attributes, typed ?? editable(output))}</label
    >${
      format !== 'text' &&
      html`<label class="choice"
        ><input type="checkbox" id="override-text" name="text" value="1" ${isText && html`checked`} /> It is a text,
        even if it looks like JSON</label
      >`
    }<button id="override">Make it version ${progress.iteration + 1}</button>
    <p class="hint">It is judged like every other version.</p>`;
  return html`<details id="override-details" ${typed !== undefined && html`open`}>
    <summary id="override-summary">Write a version yourself</summary>
    ${form(decided, 'override', content, { format })}
  </details>`;
}

const LIMITS: Record<string, string> = { iterations: 'versions', tokens: 'tokens', usd: 'US dollars' };

function extend(decided: Decided, payload: AvailableCommand['payload']): Part {
  const fields = Object.entries(payload).filter(([key]) => Object.hasOwn(LIMITS, key));
  return form(
    decided,
    'extend',
    html`${fields.map(
        ([key, amount]) =>
          html`<label
            ><span>More ${LIMITS[key]}</span>
            <input
              id="extend-${key}"
              name="${key}"
              inputmode="decimal"
              value="${findTyped(decided, 'extend', key) ?? String(amount)}"
              autocomplete="off"
              required
            />
          </label>`,
      )}<button id="extend">Raise the limit</button>`,
  );
}

function decide(decided: Decided, payload: AvailableCommand['payload']): Part {
  const goesOn = payload['decision'] === 'continue';
  const text = goesOn ? 'Let it go on' : 'Let it end';
  const hint = goesOn ? 'It makes another version, without guidance from you.' : 'It ends as it would by itself.';
  const decision = goesOn ? 'continue' : 'stop';
  return form(
    decided,
    'decide',
    html`<button id="decide-${decision}">${text}</button>
      <p class="hint">${hint}</p>`,
    {
      decision,
    },
  );
}

function reflect(decided: Decided): Part {
  return form(
    decided,
    'reflect',
    html`<button id="reflect">Judge version ${decided.progress.iteration} again</button>`,
  );
}

function abort(decided: Decided): Part {
  return html`<details id="abort-details">
    <summary id="abort-summary">Abort the run</summary>
    ${form(
      decided,
      'abort',
      html`${reason(decided, 'abort')}<button id="abort" class="risky">Abort it now</button>
        <p class="hint">The run ends at once, without an accepted version.</p>`,
    )}
  </details>`;
}

const FORMS: Record<AvailableCommand['name'], (decided: Decided, payload: AvailableCommand['payload']) => Part> = {
  accept,
  // All answers are given in one form.
  answer: () => undefined,
  guide,
  override,
  extend,
  decide,
  reflect,
  abort,
};

export function commandForms(decided: Decided): Html | undefined {
  const offers = decided.progress.waitingFor?.commands ?? takenMeanwhile(decided);
  if (offers.length === 0) return undefined;
  return html`${answersForm(decided)}
    <div class="decide">${offers.map(({ name, payload }) => FORMS[name](decided, payload))}</div>`;
}
