import type { LoopState, ReflectionVersion } from '../state/loop-state';
import type { Turn } from '../state/model-reply';
import { boundedConversation, turnsOfAnswer } from '../state/turns';
import type { StepOutcome } from '../step-state/step-call';
import { isJsonObject, type Json } from '../../lib/json/json';

/** The reply gets the turns of `base` (undefined for a draft, or an output made anew), the answer of it, and the request. */
export function continueConversation(
  { replies }: LoopState,
  { request, ...outcome }: StepOutcome,
  base?: ReflectionVersion,
): StepOutcome {
  const { reply } = outcome;
  const before = base && replies?.[base.iteration];
  if (!reply || request === undefined || !base || !before) return outcome;
  const asked: Turn = { role: 'request', content: request };
  const turns = boundedConversation([...turnsOfAnswer(before, base.output), asked, ...(reply.turns ?? [])]);
  return { ...outcome, reply: { ...reply, turns } };
}

const WARNING =
  'the corrector made an object of a text: this is the next version; if its keys were meant for the generator, use `mode: hint`';

/** Agents of other engines return their own state, which is an object, for a text. */
export function withFormWarning(outcome: StepOutcome, before: Json | undefined): StepOutcome {
  if (typeof before !== 'string' || !isJsonObject(outcome.output)) return outcome;
  return { ...outcome, warnings: [...outcome.warnings, WARNING] };
}
