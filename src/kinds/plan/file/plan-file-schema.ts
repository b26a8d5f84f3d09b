import { changeProperty, type Form } from '../../../apps/yaml/forms/flat-request-schemas';
import { inFile } from '../../../apps/yaml/forms/spec-file-schema';
import { convertSchema, type JsonSchema, meaningOf } from '../../../lib/contract/convert';
import { shortSpec } from '../../../loop/contract/short-spec';

function shortLoop(loop: JsonSchema): JsonSchema {
  return { ...meaningOf(loop), ...convertSchema(shortSpec) };
}

export function planFileSchema(schemas: Record<string, JsonSchema>): JsonSchema {
  const wire = schemas['plan-spec.json'] as Form;
  const step = ({ anyOf, ...rest }: JsonSchema): JsonSchema => ({
    ...rest,
    anyOf: (anyOf as Form[]).map((form) =>
      'loop' in (form.properties ?? {}) ? changeProperty(form, 'loop', shortLoop) : form,
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
