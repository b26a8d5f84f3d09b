import type { JsonSchema } from '../../lib/contract/convert';
import { FILE_KINDS } from '../../kinds/list/files';
import { jsonSchemas } from '../../kinds/list/schemas';
import { flatCorrection, flatEvaluation, type Form } from '../../spec-files/flat-request-schemas';
import { inFile, specFileSchema } from '../../spec-files/spec-file-schema';

/** Returns a file's request: the command line may bring the data and the errors, and the file may have a name. */
function requestFile(request: JsonSchema | undefined, flatten: (form: Form) => JsonSchema, title: string): JsonSchema {
  const { $schema, anyOf: _data, allOf: _all, ...form } = request as Form;
  const named = { ...form, properties: { ...form.properties, name: { type: 'string' } } };
  return {
    $schema,
    title,
    description: 'A YAML file. Keys may be written in camelCase or snake_case.',
    ...inFile(flatten(named)),
  };
}

export function fileSchemas(): Record<string, JsonSchema> {
  const schemas = jsonSchemas();
  return {
    'spec-file.json': specFileSchema(schemas['spec-short.json']!),
    'evaluation-file.json': requestFile(
      schemas['evaluation-request.json'],
      (form) => flatEvaluation(form, (schemas['spec-short.json'] as Form).properties['evaluator']!),
      'Evaluation file',
    ),
    'correction-file.json': requestFile(schemas['correction-request.json'], flatCorrection, 'Correction file'),
    ...Object.assign({}, ...Object.values(FILE_KINDS).map((kind) => kind.jsonSchema(schemas))),
  };
}
