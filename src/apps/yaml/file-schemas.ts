import { isJsonObject } from '../../lib/json/json';
import { type JsonSchema, jsonSchemas } from '../../kinds/schemas';
import { inFile, specFileSchema } from './spec-file-schema';

type Properties = Record<string, JsonSchema>;
type Form = JsonSchema & { properties: Properties; required?: string[] };

/** Returns properties without some of them, for fields beside those of an evaluator or corrector in the flat dialect. */
const without = (properties: Properties, ...keys: string[]): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));

/** Returns the forms of an evaluator that may stand alone or in a list. */
function evaluatorForms(schema: JsonSchema): Form[] {
  const { anyOf } = schema as { anyOf?: JsonSchema[] };
  return anyOf ? anyOf.flatMap(evaluatorForms) : isJsonObject(schema['properties']) ? [schema as Form] : [];
}

/**
 * Returns an evaluation as files may write it: with `evaluator`, or with its type (default `schema`) and fields beside the data.
 */
function flatEvaluation(request: Form): JsonSchema {
  const beside = without(request.properties, 'evaluator');
  const flat = evaluatorForms(request.properties['evaluator']!).map((form) => {
    const { type, ...fields } = form.properties;
    const required = (form.required ?? []).filter((key) => key !== 'type');
    const isDefault = type!['const'] === 'schema';
    return {
      ...form,
      properties: { ...fields, ...beside, evaluatorType: type! },
      required: isDefault ? required : [...required, 'evaluatorType'],
    };
  });
  return { anyOf: [request, ...flat] };
}

/** Returns a correction as files may write it: with `corrector`, or with its fields beside the data. */
function flatCorrection(request: Form): JsonSchema {
  const beside = without(request.properties, 'corrector');
  const flat = (request.properties['corrector']!['anyOf'] as Form[]).map((form) => {
    const { action, ...fields } = form.properties;
    const required = (form.required ?? []).filter((key) => key !== 'action');
    const needsAction = action !== undefined && action['const'] === undefined;
    return {
      ...form,
      properties: { ...fields, ...beside, ...(action ? { correctorAction: action } : {}) },
      required: needsAction ? [...required, 'correctorAction'] : required,
    };
  });
  return { anyOf: [request, ...flat] };
}

/** Built-in actions whose parameters may be written in the flat dialect. */
const FLAT: Record<string, (parameters: Form) => JsonSchema> = {
  'reflection.evaluate': flatEvaluation,
  'reflection.correct': flatCorrection,
};

/** Returns an object schema with one property changed. */
function changeProperty(object: Form, key: string, change: (property: Form) => JsonSchema): Form {
  const { properties } = object;
  return { ...object, properties: { ...properties, [key]: change(properties[key] as Form) } };
}

function withFlatForm(node: Form): JsonSchema {
  const flatten = FLAT[String(node.properties['uses']?.['const'])];
  return flatten ? changeProperty(node, 'with', flatten) : node;
}

/** Returns the JSON Schema of a YAML file that holds a pipeline, or a list of its nodes, for editors. */
function pipelineFileSchema(): JsonSchema {
  const { $schema, $defs, ...wire } = jsonSchemas()['pipeline.json'] as Form;
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
  const ofAgents: Properties = { version: {}, stateSchema: { type: 'object' }, initialState: state };
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

/** Returns a file's request: the command line may bring the data and the errors, and the file may have a name. */
function requestFile(request: string, flatten: (form: Form) => JsonSchema, title: string): JsonSchema {
  const { $schema, anyOf: _data, allOf: _all, ...form } = jsonSchemas()[request] as Form;
  const named = { ...form, properties: { ...form.properties, name: { type: 'string' } } };
  return {
    $schema,
    title,
    description: 'A YAML file. Keys may be written in camelCase or snake_case.',
    ...inFile(flatten(named)),
  };
}

/** Returns the JSON Schema of a YAML file that holds a plan. */
function planFileSchema(): JsonSchema {
  const wire = jsonSchemas()['plan-spec.json'] as Form;
  // In a file, a plan needs no id.
  const plan = ({ anyOf }: JsonSchema): JsonSchema => ({ ...(anyOf as Form[])[0], required: ['tasks'] });
  return {
    ...inFile(changeProperty(wire, 'plan', plan)),
    title: 'Plan file',
    description: 'A YAML file with a goal and how to reach it. Keys may be written in camelCase or snake_case.',
  };
}

/** Returns the JSON Schema of a YAML file that holds a population. */
function agentsFileSchema(): JsonSchema {
  const whole = inFile(jsonSchemas()['agent-spec.json'] as Form);
  const { config } = whole.properties;
  return {
    ...whole,
    title: 'Population file',
    description: 'A YAML file with agents that reflect. Keys may be written in camelCase or snake_case.',
    properties: { ...whole.properties, globalConfig: config!, global_config: config! },
    not: {
      anyOf: [
        { required: ['config', 'globalConfig'] },
        { required: ['config', 'global_config'] },
        { required: ['globalConfig', 'global_config'] },
      ],
    },
  };
}

/** Returns JSON Schemas of files, by their own file name. */
export function fileSchemas(): Record<string, JsonSchema> {
  return {
    'spec-file.json': specFileSchema(),
    'pipeline-file.json': pipelineFileSchema(),
    'evaluation-file.json': requestFile('evaluation-request.json', flatEvaluation, 'Evaluation file'),
    'correction-file.json': requestFile('correction-request.json', flatCorrection, 'Correction file'),
    'plan-file.json': planFileSchema(),
    'agents-file.json': agentsFileSchema(),
  };
}
