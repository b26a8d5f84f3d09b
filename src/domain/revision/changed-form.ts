import { isJsonObject, type Json } from '../base/json/json';
import type { StepOutcome } from '../step-state/step-call';

const WARNING =
  'the corrector made an object of a text: this is the next version; if its keys were meant for the generator, use `mode: hint`';

/** What a corrector returned, with a warning where it took a text for its own state: agents of other engines mean that. */
export function withFormWarning(outcome: StepOutcome, before: Json | undefined): StepOutcome {
  if (typeof before !== 'string' || !isJsonObject(outcome.output)) return outcome;
  return { ...outcome, warnings: [...outcome.warnings, WARNING] };
}
