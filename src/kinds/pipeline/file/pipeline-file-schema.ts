import {
  changeProperty,
  flatCorrection,
  flatEvaluation,
  type Form,
} from '../../../apps/yaml/forms/flat-request-schemas';
import { inFile } from '../../../apps/yaml/forms/spec-file-schema';
import type { JsonSchema } from '../../../lib/contract/convert';
import { shortSpec } from '../../../loop/contract/short-spec';
import { buildPipelineJson } from '../parse/json-schema';

/** Built-in actions whose parameters may be written in the flat dialect. */
const FLAT: Record<string, (parameters: Form) => JsonSchema> = {
  'reflection.evaluate': flatEvaluation,
  'reflection.correct': flatCorrection,
};

function withFlatForm(node: Form): JsonSchema {
  const flatten = FLAT[String(node.properties['uses']?.['const'])];
  return flatten ? changeProperty(node, 'with', flatten) : node;
}

/** Returns the JSON Schema of a YAML file that holds a pipeline, or a list of its nodes, for editors. */
export function pipelineFileSchema(schemas: Record<string, JsonSchema>): JsonSchema {
  const { $schema } = schemas['pipeline.json']!;
  const { $defs, ...wire } = buildPipelineJson(shortSpec) as Form;
  const nodes = ({ items, ...list }: JsonSchema): JsonSchema => ({
    ...list,
    items: { anyOf: (items as { anyOf: Form[] }).anyOf.map(withFlatForm) },
  });
  const provider = (llm: Form): JsonSchema => ({
    ...llm,
    properties: { ...llm.properties, provider: { type: 'string' }, defaultModel: llm.properties['model']! },
  });
  const state = wire.properties['state']!;
  // Agent files that others wrote have these words, too.
  const ofAgents: Form['properties'] = { version: {}, stateSchema: { type: 'object' }, initialState: state };
  const withWords: Form = { ...wire, properties: { ...wire.properties, ...ofAgents } };
  const whole = inFile(
    changeProperty(changeProperty(withWords, 'nodes', nodes), 'settings', (settings) =>
      changeProperty(settings, 'llm', provider),
    ),
  );
  return {
    $schema,
    title: 'Reflection pipeline file',
    description:
      'A YAML file with a pipeline, or with a list of nodes. Keys may be written in camelCase or snake_case.',
    anyOf: [whole, whole.properties['nodes']],
    $defs,
  };
}
