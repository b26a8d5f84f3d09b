import {
  COMMAND_NAMES,
  type CommandName,
  type CommandPayloads,
  type AnswerPayload,
} from '../../../loop/base/command-payloads';
import { type Json, isJsonObject, type JsonObject } from '../../../lib/json/json';
import { looksLikeJson, type OutputForm } from '../steer/given-output';
import { omitUndefined } from '../../../lib/base/defined';
import { jsonMistake } from '../../../lib/json/json-mistake';
import { largeInteger, largeIntegerText } from '../../../lib/json/large-integers';
import { MOST_TOOL_CALLS } from '../../../loop/base/maxima';
import { digestOf, fieldOf } from './answers-form';

export class FieldError extends Error {}

/** Reads a text as it was typed: forms write line breaks as two characters. */
function textIn(form: URLSearchParams, field: string): string | undefined {
  const typed = (form.get(field) ?? '').replace(/\r\n?/g, '\n');
  return typed.trim() === '' ? undefined : typed;
}

/**
 * Reads JSON that was typed.
 * @param what the subject of the message about a mistake, with its verb
 * @param advice what else a person may do
 */
function readJson(typed: string, [what, verb]: [what: string, verb: string], advice = ''): Json {
  const mistake = jsonMistake(typed);
  if (mistake !== undefined) throw new FieldError(`${what} ${verb} no JSON: ${mistake}. Nothing was sent.${advice}`);
  const large = largeInteger(typed);
  if (large) throw new FieldError(`${what} at ${large.path}: ${largeIntegerText(large.source)}. Nothing was sent.`);
  return JSON.parse(typed) as Json;
}

type Said = Pick<AnswerPayload, 'text' | 'approve' | 'refuse' | 'arguments' | 'reason'>;

function optionIn(form: URLSearchParams, wait: string): string | undefined {
  const value = form.get(fieldOf('option', wait)) ?? '';
  try {
    return value === '' ? undefined : decodeURIComponent(value);
  } catch {
    throw new FieldError('This is no form of these pages.');
  }
}

function readArguments(text: string, wait: string): JsonObject {
  const value = readJson(text, [`The arguments of ${wait}`, 'are']);
  if (isJsonObject(value)) return value;
  throw new FieldError(`The arguments of ${wait} are no JSON object. Nothing was sent.`);
}

/** Reads what a person decided about a call. What contradicts the choice is refused: it may be forgotten, or the choice is. */
function readDecision(form: URLSearchParams, wait: string): Said | undefined {
  const typed = (form.get(fieldOf('arguments', wait)) ?? '').replace(/\r\n?/g, '\n');
  const isChanged = digestOf(typed) !== form.get(fieldOf('shown', wait));
  const reason = textIn(form, fieldOf('reason', wait));
  const decision = form.get(fieldOf('decision', wait)) ?? '';
  if (isChanged && decision !== 'change')
    throw new FieldError(
      `You changed the arguments of ${wait}, and did not choose to have it called with them. Nothing was sent.`,
    );
  switch (decision) {
    case 'approve':
      return { approve: true, reason };
    case 'refuse':
      return { refuse: true, reason };
    case 'change':
      if (!isChanged) throw new FieldError(`The arguments of ${wait} are as they were. Nothing was sent.`);
      return { arguments: readArguments(typed, wait), reason };
    default:
      if (reason !== undefined)
        throw new FieldError(`You gave a reason for ${wait}, and did not decide about it. Nothing was sent.`);
      return undefined;
  }
}

function readQuestion(form: URLSearchParams, wait: string): Said | undefined {
  const said = [optionIn(form, wait), textIn(form, fieldOf('text', wait))].filter((each) => each !== undefined);
  return said.length === 0 ? undefined : { text: said.join('\n') };
}

/** Reads the answers of a form, without open ones. Throws FieldError for bad ones, and if there are no answers. */
function readAnswers(form: URLSearchParams, { id, by }: { id: string | undefined; by: string }): AnswerPayload[] {
  const waits = [...new Set(form.getAll('to'))].slice(0, MOST_TOOL_CALLS);
  const answers = waits.flatMap((to): AnswerPayload[] => {
    const said = form.has(fieldOf('shown', to)) ? readDecision(form, to) : readQuestion(form, to);
    return said ? [{ to, ...said, by, ...(id !== undefined && { id: `${id}-${to}` }) }] : [];
  });
  if (answers.length === 0) throw new FieldError('Nothing was answered. Nothing was sent.');
  return answers;
}

export interface Sent {
  workflowId: string;
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
    ...(form.get('best') === null ? { iteration: Number(form.get('version') ?? iteration) } : { best: true }),
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

/** Reads the commands of a form; only answers are several. Throws FieldError for what cannot be sent. */
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
