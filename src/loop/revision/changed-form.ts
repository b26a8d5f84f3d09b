import { isJsonObject, type Json } from '../../lib/json/json';
import type { StepOutcome } from '../step-state/step-call';

const WARNING =
  'the corrector made an object of a text: this is the next version; if its keys were meant for the generator, use `mode: hint`';

/**
 * Adds a warning to the result of a corrector that returned an object for a text: agents of other engines return their own
 * state.
 */
export function withFormWarning(outcome: StepOutcome, before: Json | undefined): StepOutcome {
  if (typeof before !== 'string' || !isJsonObject(outcome.output)) return outcome;
  return { ...outcome, warnings: [...outcome.warnings, WARNING] };
}
