import type { Progress } from '../../../loop/contract/results';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { REASON_CHARACTERS } from '../../../loop/base/command-payloads';
import { type Html, html, type Part } from '../../report/html';

export interface Typed {
  command: string;
  fields: URLSearchParams;
  /** The id under which it is sent again, where it is not known what became of it. */
  id?: string;
}

export interface Decided {
  runId: string;
  /** Another one whenever something happened to the run. */
  lookId: string;
  progress: Progress;
  version: ReflectionVersion | undefined;
  typed?: Typed;
}

/** Renders one form. Its id is another one once something happened to the run, so a form that is sent twice takes effect once. */
export function form(decided: Decided, command: string, content: Part, more: Record<string, string> = {}): Html {
  const { typed, runId, lookId, progress } = decided;
  const isTyped = typed?.command === command && (typed.fields.get('best') ?? undefined) === more['best'];
  const id = (isTyped ? typed.id : undefined) ?? `${lookId}-${command}${more['best'] ?? ''}`;
  const hidden = { command, run: runId, iteration: String(progress.iteration), id, ...more };
  return html`<form method="post">
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${content}
  </form>`;
}

export function findTyped({ typed }: Decided, command: string, field: string): string | undefined {
  return typed?.command === command ? (typed.fields.get(field)?.replace(/\r\n?/g, '\n') ?? undefined) : undefined;
}

export function reasonField(id: string, name: string, label: string, typed: string | undefined): Html {
  return html`<label
    ><span>${label}</span>
    <input
      id="${id}"
      name="${name}"
      maxlength="${REASON_CHARACTERS}"
      value="${typed ?? ''}"
      ${typed !== undefined && html`data-typed`}
      autocomplete="off"
    />
  </label>`;
}

/** Renders a text area with a text; the first line break of one is dropped by browsers. */
export function area(attributes: Html, value: string): Html {
  return html`<textarea ${attributes}>${`\n${value}`}</textarea>`;
}
