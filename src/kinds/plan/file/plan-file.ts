import type { FileKind } from '../../../spec-files/file-kind';
import { shapeOf } from '../../../spec-files/shapes';
import { sayOfTriggers } from '../../../spec-files/trigger-names';
import { planSpec, type PlanSpec } from '../contract/plan';
import { parsePlanSpec } from '../parse/plan';
import { changeProperty, type Form } from '../../../spec-files/flat-request-schemas';
import { inFile } from '../../../spec-files/spec-file-schema';
import { convertSchema, type JsonSchema, meaningOf } from '../../../lib/contract/convert';
import { shortSpec } from '../../../loop/contract/short-spec';
import { isJsonObject, type Json } from '../../../lib/json/json';
import { asWritten, type Placed, placeBelow, placeEach } from '../../../spec-files/placed';
import { specForm } from '../../../spec-files/spec-form';

const FIRST_PLAN = 'plan-1';

function taskForm(task: Json): Placed {
  if (!isJsonObject(task)) return asWritten(task);
  return placeBelow(task, 'step', (step) => placeBelow(step, 'loop', specForm));
}

function planForm(written: Json): Placed {
  if (!isJsonObject(written)) return asWritten(written);
  return placeBelow(written, 'plan', (plan) =>
    placeEach(Array.isArray(plan['tasks']) ? { id: FIRST_PLAN, ...plan } : plan, 'tasks', taskForm),
  );
}

function planFileSchema(schemas: Record<string, JsonSchema>): JsonSchema {
  const wire = schemas['plan-spec.json'] as Form;
  const step = ({ anyOf, ...rest }: JsonSchema): JsonSchema => ({
    ...rest,
    anyOf: (anyOf as Form[]).map((form) =>
      'loop' in (form.properties ?? {})
        ? changeProperty(form, 'loop', (loop) => ({ ...meaningOf(loop), ...convertSchema(shortSpec) }))
        : form,
    ),
  });
  const tasks = ({ items, ...list }: JsonSchema): JsonSchema => ({
    ...list,
    items: changeProperty(items as Form, 'step', step),
  });
  // In a file, a plan needs no id.
  const plan = ({ anyOf }: JsonSchema): JsonSchema => ({
    ...changeProperty((anyOf as Form[])[0]!, 'tasks', tasks),
    required: ['tasks'],
  });
  return {
    ...inFile(changeProperty(wire, 'plan', plan)),
    title: 'Plan file',
    description: 'A YAML file with a goal and how to reach it. Keys may be written in camelCase or snake_case.',
  };
}

const PLAN_SHAPE = shapeOf(planSpec);

export const planFile: FileKind<PlanSpec> = {
  key: 'goal',
  holds: 'a plan (`goal:`)',
  isIn: ({ keys }) => keys.includes('goal'),
  shape: () => PLAN_SHAPE,
  form: planForm,
  parse: parsePlanSpec,
  say: sayOfTriggers(/^\/plan\/tasks\/\d+\/step\/loop\/reflectionTriggers$/),
  jsonSchema: (schemas) => ({ 'plan-file.json': planFileSchema(schemas) }),
};
