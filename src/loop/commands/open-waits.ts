import type { PersonWait, WaitingFor } from '../contract/waiting';
import { jsonOrText } from '../../lib/json/json-or-text';
import { renderCount } from '../../lib/text/counted';
import { oneLine } from '../../lib/text/summary-text';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState } from '../state/loop-state';
import type { OpenWait, ParkedStep } from '../state/parked-step';
import { openWaits } from '../state/parking';
import { bestSoFar } from '../state/loop-state';
import type { AvailableCommand } from './available';

const QUESTION_LENGTH = 200;

function describeOpenWait({ toolCalls }: ParkedStep, wait: OpenWait): PersonWait {
  const { id, kind, question, options, problem } = wait;
  const call = toolCalls[wait.call];
  if (kind === 'question' || !call) {
    return { id, kind, ...(question !== undefined && { question }), ...(options && { options }) };
  }
  const json = wait.parsed?.shown ?? call.arguments;
  const given = json.trim() === '' ? {} : jsonOrText(json);
  return { id, kind, action: call.name, arguments: given, ...(problem !== undefined && { problem }) };
}

export function listOpenWaits(state: Pick<LoopState, 'parked'>): PersonWait[] {
  const { parked } = state;
  return parked ? openWaits(state).map((wait) => describeOpenWait(parked, wait)) : [];
}

/** @param isWhole whether the texts of the questions are part of it */
export function describeOpenWaits(waits: readonly PersonWait[], isWhole = true): string {
  const questions = waits.filter(({ kind }) => kind === 'question');
  const calls = waits.filter(({ kind }) => kind === 'approval');
  const texts = questions.map(({ question = '' }) => oneLine(question, QUESTION_LENGTH)).join(' · ');
  const asked = isWhole ? `: ${texts}` : '';
  const names = [...new Set(calls.map(({ action }) => action))].join(', ');
  const later = waits.length > 1 && calls.length > 0 ? ' (approved calls are made once nothing else is open)' : '';
  const parts = [
    ...(questions.length > 0 ? [`a person's answer to ${renderCount(questions.length, 'question')}${asked}`] : []),
    ...(calls.length > 0 ? [`a person's approval of ${renderCount(calls.length, 'call')}: ${names}`] : []),
  ];
  return `${parts.join('; and ')}${later}`;
}

export function describeAnswerSilence(state: LoopState, { questions, budget }: LoopSettings): string {
  const { parked, startedAt } = state;
  const isBudget = budget?.wallClockMs !== undefined && (parked?.until ?? 0) >= startedAt + budget.wallClockMs;
  if (isBudget) return 'its time budget is spent, and the run ends';
  const kinds = new Set(openWaits(state).map(({ kind }) => kind));
  const withoutAnswer =
    questions?.defaultAnswer === undefined
      ? 'the model goes on without an answer'
      : `the answer is ${JSON.stringify(oneLine(questions.defaultAnswer, QUESTION_LENGTH))}`;
  return [
    ...(kinds.has('question') ? [withoutAnswer] : []),
    ...(kinds.has('approval') ? ['no call that needs approval is made'] : []),
  ].join(', and ');
}

function answersTo({ id, kind }: PersonWait): AvailableCommand[] {
  if (kind === 'question') return [{ name: 'answer', payload: { to: id, text: 'your answer' } }];
  return [
    { name: 'answer', payload: { to: id, approve: true } },
    { name: 'answer', payload: { to: id, refuse: true, reason: 'why not' } },
  ];
}

export function commandsWhileParked(state: LoopState): AvailableCommand[] {
  const best = bestSoFar(state);
  const answers = listOpenWaits(state).flatMap(answersTo);
  // An `accept` that arrived before the draft waits for it.
  if (state.commands.accept) return [...answers, { name: 'abort', payload: {} }];
  return [
    ...answers,
    ...(best ? [{ name: 'accept' as const, payload: { best: true } }] : []),
    { name: 'guide', payload: { text: 'Name the source.' } },
    // By the decision of a review that let the loop go on, another person's version is refused.
    ...(state.decided ? [] : [{ name: 'override' as const, payload: { output: 'your own version' } }]),
    { name: 'abort', payload: {} },
  ];
}

export function describeParked(state: LoopState): WaitingFor | undefined {
  const { parked } = state;
  const waits = listOpenWaits(state);
  const [first] = waits;
  if (!parked || !first) return undefined;
  return {
    id: first.id,
    kind: first.kind,
    what: describeOpenWaits(waits),
    waits,
    since: new Date(parked.since).toISOString(),
    until: new Date(parked.until).toISOString(),
    commands: commandsWhileParked(state),
  };
}
