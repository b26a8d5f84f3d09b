import { isJsonObject } from '../domain/base/json';
import { type JsonSchema, jsonSchemas } from '../schemas/index';
import { eitherCase, specFileSchema, specInFile } from './spec-file-schema';

type Properties = Record<string, JsonSchema>;
type Form = JsonSchema & { properties: Properties; required?: string[] };

/** What stands beside the fields of an evaluator or corrector in the flat dialect. */
const without = (properties: Properties, ...keys: string[]): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));

/** The forms of an evaluator that may stand alone or in a list. */
function evaluatorForms(schema: JsonSchema): Form[] {
  const { anyOf } = schema as { anyOf?: JsonSchema[] };
  return anyOf ? anyOf.flatMap(evaluatorForms) : isJsonObject(schema['properties']) ? [schema as Form] : [];
}

/** An evaluation as files may write it: with `evaluator`, or with its type (default `schema`) and fields beside the data. */
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

/** A correction as files may write it: with `corrector`, or with its fields beside the data. */
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

/** A node in the words of files, by what it runs. */
function nodeInFile(node: Form): JsonSchema {
  const parameters = node.properties['with'];
  const inFile = (given: JsonSchema): JsonSchema => ({
    ...(eitherCase(node) as Form),
    properties: { ...(eitherCase(node) as Form).properties, with: given },
  });
  switch (node.properties['uses']?.['const']) {
    case 'reflection.loop':
      return inFile(specInFile(parameters!));
    case 'reflection.evaluate':
      return inFile(eitherCase(flatEvaluation(parameters as Form)) as JsonSchema);
    case 'reflection.correct':
      return inFile(eitherCase(flatCorrection(parameters as Form)) as JsonSchema);
    default:
      return eitherCase(node) as JsonSchema;
  }
}

/** The JSON Schema of a YAML file that holds a pipeline, or a list of its nodes, for editors. */
function pipelineFileSchema(): JsonSchema {
  const { $schema, $defs, ...wire } = jsonSchemas()['pipeline.json'] as Form & { $defs: JsonSchema };
  const { nodes, settings } = wire.properties as { nodes: Form; settings: Form };
  const forms = (nodes['items'] as { anyOf: Form[] }).anyOf;
  const listed = { ...nodes, items: { anyOf: forms.map(nodeInFile) } };
  const file = eitherCase(wire) as Form;
  const inFile = eitherCase(settings) as Form;
  const llm = inFile.properties['llm'] as Form;
  const withProvider = { ...llm, properties: { ...llm.properties, provider: { const: 'openai' } } };
  const whole = {
    ...file,
    properties: {
      ...file.properties,
      nodes: listed,
      settings: { ...inFile, properties: { ...inFile.properties, llm: withProvider } },
    },
  };
  return {
    $schema,
    title: 'Reflection pipeline file',
    description:
      'A YAML file with a pipeline, or with a list of nodes. Keys may be written in camelCase or snake_case.',
    anyOf: [whole, listed],
    $defs,
  };
}

/** A file's request: the command line may bring the data and the errors, and the file may have a name. */
function requestFile(request: JsonSchema, flatten: (form: Form) => JsonSchema, title: string): JsonSchema {
  const { $schema, anyOf: _data, allOf: _all, ...form } = request as Form;
  const named = { ...form, properties: { ...form.properties, name: { type: 'string' } } };
  return {
    $schema,
    title,
    description: 'A YAML file. Keys may be written in camelCase or snake_case.',
    ...(eitherCase(flatten(named)) as JsonSchema),
  };
}

/** The JSON Schema of a YAML file for `reflect evaluate`. */
function evaluationFileSchema(): JsonSchema {
  return requestFile(jsonSchemas()['evaluation-request.json']!, flatEvaluation, 'Evaluation file');
}

/** The JSON Schema of a YAML file for `reflect correct`. */
function correctionFileSchema(): JsonSchema {
  return requestFile(jsonSchemas()['correction-request.json']!, flatCorrection, 'Correction file');
}

/** The JSON Schema of a YAML file that holds a plan. */
function planFileSchema(): JsonSchema {
  const { $schema, ...wire } = jsonSchemas()['plan-spec.json'] as Form;
  const plan = (wire.properties['plan'] as { anyOf: Form[] }).anyOf[0]!;
  const task = plan.properties['tasks']!['items'] as Form;
  const steps = (task.properties['step'] as { anyOf: (Partial<Form> & JsonSchema)[] }).anyOf;
  const inFile = steps.map((step) => {
    const loop = step.properties?.['loop'];
    return loop ? { ...step, properties: { loop: specInFile(loop) } } : (eitherCase(step) as JsonSchema);
  });
  const taskInFile = eitherCase(task) as Form;
  const listed = {
    ...plan.properties['tasks'],
    items: { ...taskInFile, properties: { ...taskInFile.properties, step: { anyOf: inFile } } },
  };
  const whole = eitherCase(wire) as Form;
  // In a file, a plan needs no id.
  const planInFile = { ...plan, properties: { ...plan.properties, tasks: listed }, required: ['tasks'] };
  return {
    $schema,
    ...whole,
    title: 'Plan file',
    description: 'A YAML file with a goal and how to reach it. Keys may be written in camelCase or snake_case.',
    properties: { ...whole.properties, plan: planInFile },
  };
}

/** The JSON Schema of a YAML file that holds a population. */
function agentsFileSchema(): JsonSchema {
  const { $schema, ...wire } = jsonSchemas()['agent-spec.json'] as Form;
  const whole = eitherCase(wire) as Form;
  const { config } = whole.properties;
  return {
    $schema,
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

/** JSON Schemas of files, by their own file name. */
export function fileSchemas(): Record<string, JsonSchema> {
  return {
    'spec-file.json': specFileSchema(),
    'pipeline-file.json': pipelineFileSchema(),
    'evaluation-file.json': evaluationFileSchema(),
    'correction-file.json': correctionFileSchema(),
    'plan-file.json': planFileSchema(),
    'agents-file.json': agentsFileSchema(),
  };
}
