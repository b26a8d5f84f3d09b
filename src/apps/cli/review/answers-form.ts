import { ANSWER_CHARACTERS } from '../../../loop/base/command-payloads';
import type { PersonWait } from '../../../loop/contract/waiting';
import { sha256 } from '../../../lib/base/sha256';
import type { Json } from '../../../lib/json/json';
import { wellFormedText } from '../../../lib/names/protocol-text';
import { type Html, html, type Part, readableJson } from '../../report/html';
import { textBlock } from '../../report/shown-text';
import { area, type Decided, findTyped, form, reasonField } from './form-parts';

const REASON_LABEL = 'Why, for the record; the model reads it if the call is refused or changed';

export function fieldOf(field: AnswerField, wait: string): string {
  return `${field}.${wait}`;
}

/** The fields of a question and of a call: `shown` has the digest of the arguments that stand in the field for changing them. */
type AnswerField = 'option' | 'text' | 'decision' | 'arguments' | 'shown' | 'reason';

/** Returns the value by which an option of a question is sent, which no browser changes. */
export function optionValue(option: string): string {
  return encodeURIComponent(wellFormedText(option));
}

/** Returns the digest by which arguments that were changed are known. */
export function digestOf(text: string): string {
  return sha256(text).slice(0, 16);
}

interface WaitFields extends PersonWait {
  typed(field: AnswerField): string | undefined;
  isOnlyOne: boolean;
}

/** Renders a choice; one that was made in a form that was refused is kept when the page is renewed. */
function choice(
  wait: WaitFields,
  field: 'option' | 'decision',
  [name, value]: [name: string, value: string],
  label: Part,
  isDefault = false,
): Html {
  const typed = wait.typed(field);
  const isChosen = typed === undefined ? isDefault : typed === value;
  return html`<label class="choice"
    ><input
      type="radio"
      id="${field}-${wait.id}-${name}"
      name="${fieldOf(field, wait.id)}"
      value="${value}"
      ${isChosen && html`checked`}
      ${typed !== undefined && html`data-typed`}
    />
    <span>${label}</span></label
  >`;
}

function questionFields(wait: WaitFields): Html {
  const { id, question = '', options = [], isOnlyOne } = wait;
  const typed = wait.typed('text');
  const isRequired = isOnlyOne && options.length === 0;
  // An option and what is added to it are one text, on two lines.
  const most = ANSWER_CHARACTERS - Math.max(0, ...options.map((option) => option.length + 1));
  const attributes = html`id="text-${id}" name="${fieldOf('text', id)}" maxlength="${most}"
  ${isRequired && html`required`} ${typed !== undefined && html`data-typed`}`;
  return html`<fieldset id="wait-${id}">
    <legend>A question <span class="note">${id}</span></legend>
    <p class="asked">${question}</p>
    ${options.map((option, index) => choice(wait, 'option', [String(index + 1), optionValue(option)], option))}
    ${options.length > 0 && choice(wait, 'option', ['other', ''], 'Another answer, which stands below', true)}
    <label
      ><span>${options.length > 0 ? 'Your answer, or what you add to it' : 'Your answer'}</span>
      ${area(attributes, typed ?? '')}</label
    >
  </fieldset>`;
}

/** Renders the arguments as they are edited; a text that is no JSON begins as an empty one. */
function argumentsArea(wait: WaitFields, given: Json): Html {
  const { id } = wait;
  const shown = typeof given === 'string' ? '' : readableJson(given);
  const text = wait.typed('arguments');
  const isChanged = text !== undefined && text !== shown;
  const attributes = html`id="arguments-${id}" name="${fieldOf('arguments', id)}" class="whole" spellcheck="false"
  ${isChanged && html`data-typed`}`;
  return html`<details id="change-${id}" ${isChanged && html`open`}>
    <summary id="change-${id}-summary">Change the arguments</summary>
    <input type="hidden" name="${fieldOf('shown', id)}" value="${digestOf(shown)}" />
    <label><span>The arguments, as JSON</span>${area(attributes, text ?? shown)}</label>
  </details>`;
}

function callFields(wait: WaitFields): Html {
  const { id, action = '', arguments: given = {}, problem, isOnlyOne } = wait;
  const typed = wait.typed('reason');
  const text = typeof given === 'string' ? given : readableJson(given);
  return html`<fieldset id="wait-${id}">
    <legend>May <code>${action}</code> be called? <span class="note">${id}</span></legend>
    ${problem !== undefined && html`<p class="notice fail">This call waits again: ${problem}</p>`}
    ${textBlock(text, `Arguments of ${action}`)}
    ${choice(wait, 'decision', ['approve', 'approve'], 'Call it with these arguments')}
    ${choice(wait, 'decision', ['refuse', 'refuse'], 'Do not call it')}
    ${choice(wait, 'decision', ['change', 'change'], 'Call it with other arguments, which stand below')}
    ${!isOnlyOne && choice(wait, 'decision', ['later', ''], 'Decide later', true)} ${argumentsArea(wait, given)}
    ${reasonField(`reason-${id}`, fieldOf('reason', id), REASON_LABEL, typed)}
  </fieldset>`;
}

export function answersForm(decided: Decided): Html | undefined {
  const { waits = [] } = decided.progress.waitingFor ?? {};
  if (waits.length === 0) return undefined;
  const isOnlyOne = waits.length === 1;
  const fields = waits.map((wait) => {
    const known = {
      ...wait,
      isOnlyOne,
      typed: (field: AnswerField) => findTyped(decided, 'answer', fieldOf(field, wait.id)),
    };
    return wait.kind === 'question' ? questionFields(known) : callFields(known);
  });
  const later = waits.some(({ kind }) => kind === 'approval') ? ' Approved calls are made once nothing is open.' : '';
  const content = html`${waits.map(({ id }) => html`<input type="hidden" name="to" value="${id}" />`)} ${fields}
    <button id="answer" class="main">${isOnlyOne ? 'Send' : 'Send these answers'}</button>
    <p class="hint">${isOnlyOne ? 'The run goes on with it.' : `What is left open can be answered later.${later}`}</p>`;
  return html`<div class="answers">${form(decided, 'answer', content)}</div>`;
}
