import { type Json, textOf } from '../../lib/json/json';
import { withoutAttachments } from '../../lib/text/attachment-text';
import { type Html, html } from './html';
import type { Comparisons, DiffPart } from './word-diff';

const MOST_SHOWN = 300_000;
const MOST_OF_CHANGE = 20_000;
const CONTEXT_CHARACTERS = 300;

export function number(value: number): string {
  return value.toLocaleString('en');
}

/** Renders an output as text; pictures and files are named instead of shown. */
export function outputText(output: Json): string {
  return textOf(withoutAttachments(output));
}

function renderGap(characters: number, why: string): Html {
  return html`<span class="gap">… ${number(characters)} ${why} …</span>`;
}

/** Returns the index at which a text may be cut: not inside a pair of surrogates. */
function cutAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

function first(text: string, most: number): Html {
  if (text.length <= most) return html`${text}`;
  const end = cutAt(text, most);
  return html`${text.slice(0, end)}${renderGap(text.length - end, 'more characters')}`;
}

export function textBlock(text: string, label: string, most = MOST_SHOWN): Html {
  return html`<pre class="text" tabindex="0" role="region" aria-label="${label}">${first(text, most)}</pre>`;
}

function renderUnchanged(text: string, isFirst: boolean, isLast: boolean): Html {
  const head = isFirst ? 0 : CONTEXT_CHARACTERS;
  const tail = isLast ? 0 : CONTEXT_CHARACTERS;
  if (text.length <= head + tail + CONTEXT_CHARACTERS || (isFirst && isLast)) return first(text, MOST_OF_CHANGE);
  const from = cutAt(text, head);
  const to = cutAt(text, text.length - tail);
  return html`${text.slice(0, from)}${renderGap(to - from, 'characters without a change')}${text.slice(to)}`;
}

function side(parts: readonly DiffPart[], hidden: 'added' | 'removed'): Html {
  return html`${parts.map(({ kind, text }, index) => {
    if (kind === hidden) return undefined;
    if (kind === 'same') return renderUnchanged(text, index === 0, index === parts.length - 1);
    return kind === 'removed'
      ? html`<del>${first(text, MOST_OF_CHANGE)}</del>`
      : html`<ins>${first(text, MOST_OF_CHANGE)}</ins>`;
  })}`;
}

const UNMARKED = {
  too_different: 'The two have too little in common to mark what changed.',
  left_out: 'What changed is not marked: the texts of this page are too large, or too many, to compare all of them.',
};

export function sideBySide(
  before: { title: string; text: string },
  after: { title: string; text: string },
  comparisons: Comparisons,
): Html {
  const parts = comparisons.between(before.text, after.text);
  const isMarked = typeof parts !== 'string';
  const [left, right] = isMarked
    ? [side(parts, 'added'), side(parts, 'removed')]
    : [first(before.text, MOST_OF_CHANGE), first(after.text, MOST_OF_CHANGE)];
  const column = (title: string, text: Html): Html =>
    html`<div>
      <h4>${title}</h4>
      <pre class="text" tabindex="0" role="region" aria-label="${title}">${text}</pre>
    </div>`;
  return html`${!isMarked && html`<p class="note">${UNMARKED[parts]}</p>`}
    <div class="sides">${column(before.title, left)}${column(after.title, right)}</div>`;
}
