import { COMMAND_NAMES, type CommandName, type CommandPayloads } from '../../../loop/base/command-payloads';
import type { Json } from '../../../lib/json/json';
import { looksLikeJson, type OutputForm } from '../steer/given-output';
import { omitUndefined } from '../../../lib/base/defined';
import { readAnswers } from './answers-read';
import { FieldError, readJson, textIn } from './form-fields';

/** The data that a form of a run's page sends. */
export interface Sent {
  workflowId: string;
  /** A run of the chain that was looked at. */
  runId: string;
  /** The version that was looked at; 0 before the draft. */
  iteration: number;
  name: CommandName;
  payload: CommandPayloads[CommandName];
}

function amount(form: URLSearchParams, field: string): number | undefined {
  const text = form.get(field)?.trim() ?? '';
  if (text === '') return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new FieldError(`“${text.slice(0, 40)}” is not a number.`);
  return number;
}

function requireText(form: URLSearchParams, field: string, what: string): string {
  const typed = textIn(form, field);
  if (typed === undefined) throw new FieldError(`${what} is empty. Nothing was sent.`);
  return typed;
}

const FORMS: readonly OutputForm[] = ['json', 'maybe_json', 'text'];

function output(form: URLSearchParams): Json {
  const typed = requireText(form, 'output', 'Your version');
  const format = FORMS.find((each) => each === form.get('format')) ?? 'text';
  if (!looksLikeJson(typed, format) || form.get('text') !== null) return typed;
  return readJson(typed, ['Your version', 'is'], ' To send it as a text, choose that below it.');
}

interface Who {
  id: string | undefined;
  by: string;
  iteration: number;
}

/** The payload of each command; `best` of `accept` asks for the best version instead of the one that was looked at. */
const PAYLOADS: {
  [Name in Exclude<CommandName, 'answer'>]: (form: URLSearchParams, who: Who) => CommandPayloads[Name];
} = {
  accept: (form, { iteration, ...who }) => ({
    ...who,
    ...(form.get('best') === null && { iteration: Number(form.get('version') ?? iteration) }),
    ...(form.get('best') === 'named' && { best: true }),
    reason: textIn(form, 'reason'),
  }),
  abort: (form, { id, by }) => ({ id, by, reason: textIn(form, 'reason') }),
  guide: (form, who) => ({ ...who, text: requireText(form, 'text', 'What the next version is told') }),
  override: (form, who) => ({ ...who, output: output(form) }),
  extend: (form, who) =>
    omitUndefined({
      ...who,
      iterations: amount(form, 'iterations'),
      tokens: amount(form, 'tokens'),
      usd: amount(form, 'usd'),
    }),
  decide: (form, who) => ({ ...who, decision: form.get('decision') === 'stop' ? 'stop' : 'continue' }),
  reflect: (_form, who) => who,
};

/**
 * Reads a form of a run's page: the commands that it sends, which are several only for several answers.
 *
 * @throws FieldError for what cannot be sent
 */
export function readSent(workflowId: string, form: URLSearchParams, by: string): Sent[] {
  const name = COMMAND_NAMES.find((each) => each === form.get('command'));
  const iteration = Number(form.get('iteration') ?? Number.NaN);
  const runId = form.get('run') ?? '';
  if (name === undefined || !Number.isInteger(iteration) || runId === '')
    throw new FieldError('This is no form of these pages.');
  const id = form.get('id') ?? undefined;
  const payloads = name === 'answer' ? readAnswers(form, { id, by }) : [PAYLOADS[name](form, { id, by, iteration })];
  return payloads.map((payload) => ({ workflowId, runId, iteration, name, payload: omitUndefined(payload) }));
}
