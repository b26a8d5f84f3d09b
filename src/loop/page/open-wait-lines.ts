import type { PersonWait } from '../contract/waiting';
import { commandsWhileParked, describeAnswerSilence, listOpenWaits } from '../commands/open-waits';
import { examplePayload } from '../base/command-payloads';
import { textOf } from '../../lib/json/json';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState } from '../state/loop-state';
import { escapeMarkdown, renderCodeBlock } from './markdown';

/** Characters of a question, of a suggested answer and of the arguments of a call on a page. */
const QUESTION_LENGTH = 2_400;
const OPTION_LENGTH = 120;
const ARGUMENTS_LENGTH = 2_400;

const MOST_WAITS = 10;

function renderArguments({ arguments: given = {} }: Pick<PersonWait, 'arguments'>): string {
  return typeof given === 'object' ? JSON.stringify(given, undefined, 2) : textOf(given);
}

function isCut(wait: PersonWait): boolean {
  return wait.kind === 'approval' && renderArguments(wait).length > ARGUMENTS_LENGTH;
}

function renderWait(wait: PersonWait): (string | string[])[] {
  const { id, kind, question = '', options = [], action = '', problem } = wait;
  if (kind === 'question') {
    return [
      `**\`${id}\`** ${escapeMarkdown(question, QUESTION_LENGTH)}`,
      options.map((option) => `- ${escapeMarkdown(option, OPTION_LENGTH)}`),
    ];
  }
  const missing = isCut(wait) ? ' Not all of the arguments are shown: read them in `progress` before you approve.' : '';
  const wrong = problem === undefined ? '' : ` It waits again: ${escapeMarkdown(problem, 400)}`;
  return [
    `**\`${id}\`** calls \`${escapeMarkdown(action, OPTION_LENGTH)}\` with:${missing}${wrong}`,
    renderCodeBlock(renderArguments(wait).slice(0, ARGUMENTS_LENGTH).split('\n')),
  ];
}

/** Renders the end of the wait of a parked step, as the first line of a page. */
export function renderAnswerDeadline(state: LoopState, settings: LoopSettings): string {
  const until = new Date(state.parked?.until ?? 0).toISOString().replace('T', ' ').slice(0, 19);
  return `**It waits for your answer until ${until} UTC.** If there is none by then, ${describeAnswerSilence(state, settings)}.`;
}

/** Renders the questions and calls of a parked step, in the order: id, question, suggested answers. */
export function renderOpenWaits(state: Pick<LoopState, 'parked'>): (string | string[])[] {
  const waits = listOpenWaits(state);
  const more = waits.length - MOST_WAITS;
  const later = waits.length > 1 && waits.some(({ kind }) => kind === 'approval');
  return [
    ...(later ? ['Approved calls are made once nothing else is open.'] : []),
    ...waits.slice(0, MOST_WAITS).flatMap(renderWait),
    ...(more > 0 ? [`${more} more are in \`progress\`.`] : []),
  ];
}

const EFFECTS: Partial<Record<string, string>> = {
  accept: 'ends with the best version',
  guide: 'tells the next revision; the question stays open',
  override: 'takes your version, and gives this one up',
  abort: 'stops',
};

export function renderAnswerCommands(state: LoopState): string[] {
  const cut = new Set<unknown>(
    listOpenWaits(state)
      .filter(isCut)
      .map(({ id }) => id),
  );
  const offers = commandsWhileParked(state)
    // Arguments that are shown in part are approved elsewhere.
    .filter(({ payload }) => !('approve' in payload && cut.has(payload['to'])))
    .slice(0, 2 * MOST_WAITS + 4);
  return [
    'Send one of these signals, with this as its input:',
    '',
    ...offers.map(({ name, payload }) => {
      const effect = EFFECTS[name];
      const text = name === 'answer' ? JSON.stringify({ ...payload, by: 'you' }) : examplePayload(name, payload);
      return `- \`${name}\` \`${text}\`${effect === undefined ? '' : ` ${effect}`}`;
    }),
  ];
}
