import { isJsonObject, type Json } from '../../../lib/json/json';
import { asWritten, type Placed, placeBelow, placeEach } from '../../../apps/yaml/forms/placed';
import { specForm } from '../../../apps/yaml/forms/spec-form';

/** The id of a plan whose file gives none. */
const FIRST_PLAN = 'plan-1';

/** Returns a task whose loop is in the words of the wire. */
function taskForm(task: Json): Placed {
  if (!isJsonObject(task)) return asWritten(task);
  return placeBelow(task, 'step', (step) => placeBelow(step, 'loop', specForm));
}

/** Returns a plan as workflows take it. In a file it needs no id. */
export function planForm(written: Json): Placed {
  if (!isJsonObject(written)) return asWritten(written);
  return placeBelow(written, 'plan', (plan) =>
    placeEach(Array.isArray(plan['tasks']) ? { id: FIRST_PLAN, ...plan } : plan, 'tasks', taskForm),
  );
}
