import type { AnswerPayload } from '../../../loop/base/command-payloads';
import { MOST_TOOL_CALLS } from '../../../loop/base/maxima';
import { isJsonObject, type JsonObject } from '../../../lib/json/json';
import { digestOf, fieldOf } from './answers-form';
import { FieldError, readJson, textIn } from './form-fields';

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

/**
 * Reads the answers of a form, each with an id of its own; what was left open is left out.
 *
 * @throws FieldError for what cannot be sent, and where nothing was answered
 */
export function readAnswers(
  form: URLSearchParams,
  { id, by }: { id: string | undefined; by: string },
): AnswerPayload[] {
  const waits = [...new Set(form.getAll('to'))].slice(0, MOST_TOOL_CALLS);
  const answers = waits.flatMap((to): AnswerPayload[] => {
    const said = form.has(fieldOf('shown', to)) ? readDecision(form, to) : readQuestion(form, to);
    return said ? [{ to, ...said, by, ...(id !== undefined && { id: `${id}-${to}` }) }] : [];
  });
  if (answers.length === 0) throw new FieldError('Nothing was answered. Nothing was sent.');
  return answers;
}
