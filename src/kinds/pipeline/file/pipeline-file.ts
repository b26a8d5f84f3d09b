import type { FileKind } from '../../../spec-files/file-kind';
import { type PipelineSpec, pipelineSpec } from '../contract/pipeline';
import { parsePipeline } from '../parse/pipeline';
import { pipelineForm, pipelineMessage } from './pipeline-form';
import { CORRECTION_SHAPE, EVALUATION_SHAPE, fieldsOf, shapeOf, SPEC_SHAPE } from '../../../spec-files/shapes';
import { DATA, PLAIN, type Shape } from '../../../lib/yaml/key-names';
import { modelCallStep } from '../../../loop/contract/steps';
import { changeProperty, flatCorrection, flatEvaluation, type Form } from '../../../spec-files/flat-request-schemas';
import { inFile } from '../../../spec-files/spec-file-schema';
import type { JsonSchema } from '../../../lib/contract/convert';
import { shortSpec } from '../../../loop/contract/short-spec';
import { buildPipelineJson } from '../parse/json-schema';

const FLAT: Record<string, (parameters: Form) => JsonSchema> = {
  'reflection.evaluate': flatEvaluation,
  'reflection.correct': flatCorrection,
};

function withFlatForm(node: Form): JsonSchema {
  const flatten = FLAT[String(node.properties['uses']?.['const'])];
  return flatten ? changeProperty(node, 'with', flatten) : node;
}

function pipelineFileSchema(schemas: Record<string, JsonSchema>): JsonSchema {
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

/** The shapes of `with`, by what the node runs. A registered action's parameters are its own. */
const PARAMETERS: Record<string, Shape> = {
  'reflection.loop': SPEC_SHAPE,
  'reflection.evaluate': EVALUATION_SHAPE,
  'reflection.correct': CORRECTION_SHAPE,
  'llm.call': shapeOf(modelCallStep.omit({ action: true })),
};

const NODE_LIST_SHAPE: Shape = {
  ...PLAIN,
  choose(textOf) {
    const action = textOf('uses') ?? textOf('action') ?? '';
    const parameters = Object.hasOwn(PARAMETERS, action) ? PARAMETERS[action]! : DATA;
    return { kind: 'object', fields: { with: parameters }, flat: { uses: ['action'] } };
  },
};

const PIPELINE_FIELDS = fieldsOf(shapeOf(pipelineSpec));
const SETTINGS_FIELDS = fieldsOf(PIPELINE_FIELDS['settings']!);

/** Agent files that others wrote declare their state, and have words of their own for what it begins with and for the model. */
const PIPELINE_SHAPE: Shape = {
  kind: 'object',
  fields: {
    ...PIPELINE_FIELDS,
    nodes: NODE_LIST_SHAPE,
    stateSchema: DATA,
    settings: {
      kind: 'object',
      fields: {
        ...SETTINGS_FIELDS,
        llm: { kind: 'object', fields: fieldsOf(SETTINGS_FIELDS['llm']!), flat: { defaultModel: ['model'] } },
      },
    },
  },
  flat: { initialState: ['state'] },
};

/** A file that holds a pipeline, or a list of its nodes. */
export const pipelineFile: FileKind<PipelineSpec> = {
  key: 'nodes',
  holds: 'a pipeline (`nodes:`)',
  isIn: ({ isList, keys }) => isList || keys.includes('nodes'),
  shape: ({ isList }) => (isList ? NODE_LIST_SHAPE : PIPELINE_SHAPE),
  form: pipelineForm,
  parse(value) {
    const parsed = parsePipeline(value);
    return 'problems' in parsed ? parsed : { spec: parsed.pipeline };
  },
  say: pipelineMessage,
  jsonSchema: (schemas) => ({ 'pipeline-file.json': pipelineFileSchema(schemas) }),
};
