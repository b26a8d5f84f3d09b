import { noteUnusedAnswer } from './command-log';
import type { LoopState } from './loop-state';
import type { OpenWait, ParkedStep, PersonAnswer } from './parked-step';

export function openWaits({ parked }: Pick<LoopState, 'parked'>): OpenWait[] {
  return parked?.waits.filter(({ answer }) => answer === undefined) ?? [];
}

export function parkStep(state: LoopState, parked: ParkedStep): void {
  state.parked = parked;
}

export function takeParkedStep(state: LoopState): ParkedStep | undefined {
  const { parked } = state;
  delete state.parked;
  return parked;
}

/** @param why for the record of those answers */
export function dropParkedStep(state: LoopState, why = 'the step was given up'): void {
  for (const { id, answer } of state.parked?.waits ?? []) if (answer) noteUnusedAnswer(state, id, why);
  delete state.parked;
}

export function nextWaitId(state: LoopState, kind: OpenWait['kind']): string {
  const asked = { ...state.asked };
  const number = (asked[kind] ?? 0) + 1;
  state.asked = { ...asked, [kind]: number };
  return `${kind}-${number}`;
}

export function answerWait({ parked }: LoopState, id: string, answer: PersonAnswer): void {
  const wait = parked?.waits.find((each) => each.id === id);
  if (wait) wait.answer = answer;
}
