import type { AnswerPayload } from '../base/command-payloads';
import { isJson } from '../../lib/json/json';
import { jsonBytes } from '../../lib/json/json-bytes';
import { wellFormedText } from '../../lib/names/protocol-text';
import type { LoopState } from '../state/loop-state';
import type { OpenWait, PersonAnswer } from '../state/parked-step';
import { openWaits } from '../state/parking';
import { oneLine } from '../../lib/text/summary-text';

/** The maximum size of arguments that a person changes, and of those that a person is shown, in bytes as JSON. */
export const APPROVED_BYTES = 64 * 1024;

/** Fields of an answer of which it has exactly one. */
const SAID = ['text', 'approve', 'refuse', 'arguments'] as const;
type Said = (typeof SAID)[number];

const ID_CHARACTERS = 60;

/** A form in the Web UI sends null, or false, for what was left empty. */
function listSaid(given: Partial<AnswerPayload>): Said[] {
  return SAID.filter((key) => given[key] !== undefined && given[key] !== null && (given[key] as unknown) !== false);
}

function describePresent(waits: readonly OpenWait[]): string {
  const ids = waits.map(({ id }) => `"${id}"`);
  const all = ids.length === 1 ? `is ${ids[0]}` : `are ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;
  return `what it waits for ${all}`;
}

function staleProblem(state: LoopState, to: string): string {
  const shown = oneLine(to, ID_CHARACTERS);
  const open = openWaits(state);
  const before = state.parked?.waits.find(({ id }) => id === to)?.answer;
  if (before) {
    const present = open.length > 0 ? `; ${describePresent(open)}` : '';
    return `"${shown}" is answered already: ${before.by ?? 'somebody'} did at ${before.at}${present}`;
  }
  return open.length === 0
    ? `the run waits for no answer${state.review ? ', but for a review' : ''}: "${shown}" is over`
    : `"${shown}" is not what the run waits for: ${describePresent(open)}`;
}

export function answerProblem(state: LoopState, given: AnswerPayload): string | undefined {
  const said = listSaid(given);
  if (said.length !== 1) return 'answer takes exactly one of "text", "approve", "refuse" and "arguments"';
  const wait = openWaits(state).find(({ id }) => id === given.to);
  if (!wait) return staleProblem(state, given.to);
  const [what] = said;
  if (wait.kind === 'question') {
    return what === 'text' ? undefined : `"${wait.id}" is a question: answer it with "text"`;
  }
  if (what === 'text') return `"${wait.id}" is a call: "approve" it, "refuse" it, or give other "arguments"`;
  if (what !== 'arguments') return undefined;
  if (!isJson(given.arguments)) return 'answer.arguments is nested too deeply';
  const bytes = jsonBytes(given.arguments);
  return bytes > APPROVED_BYTES ? `the arguments have ${bytes} bytes; at most ${APPROVED_BYTES} are taken` : undefined;
}

const DECISIONS = { text: 'answered', approve: 'approved', refuse: 'refused', arguments: 'changed' } as const;

export function readAnswer(given: AnswerPayload, at: string): PersonAnswer {
  const [what = 'text'] = listSaid(given);
  const { text, arguments: changed, reason, by } = given;
  return {
    decision: DECISIONS[what],
    ...(what === 'text' && { text: wellFormedText(text ?? '') }),
    ...(what === 'arguments' && changed && { arguments: changed as NonNullable<PersonAnswer['arguments']> }),
    ...(typeof reason === 'string' && { reason: wellFormedText(reason) }),
    ...(typeof by === 'string' && { by }),
    at,
  };
}
