import { changeProperty, type Form } from '../../../apps/yaml/forms/flat-request-schemas';
import { inFile } from '../../../apps/yaml/forms/spec-file-schema';
import type { JsonSchema } from '../../../lib/contract/convert';

/** Returns the JSON Schema of a YAML file that holds a plan. */
export function planFileSchema(schemas: Record<string, JsonSchema>): JsonSchema {
  const wire = schemas['plan-spec.json'] as Form;
  // In a file, a plan needs no id.
  const plan = ({ anyOf }: JsonSchema): JsonSchema => ({ ...(anyOf as Form[])[0], required: ['tasks'] });
  return {
    ...inFile(changeProperty(wire, 'plan', plan)),
    title: 'Plan file',
    description: 'A YAML file with a goal and how to reach it. Keys may be written in camelCase or snake_case.',
  };
}
