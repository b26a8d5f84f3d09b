import { agentSpecSchema } from './agents';
import { COMMAND_SCHEMAS } from './commands';
import { converted, type JsonSchema, titled as withTitle } from './convert';
import { pipelineJson } from './pipeline-json-schema';
import { evaluationSchema, progressSchema, resultSchema, versionSchema } from './results';
import { specSchema } from './spec';
import { correctionJson, evaluationJson } from './standalone-json-schemas';
import type { z } from 'zod';

const titled = (title: string, description: string, schema: z.ZodType): JsonSchema =>
  withTitle(title, description, converted(schema));

/** A running loop takes null for a field that a form in the Web UI left empty, and for no payload at all. */
function withNulls(schema: JsonSchema): JsonSchema {
  const {
    properties,
    required = [],
    anyOf,
    ...rest
  } = schema as {
    properties: Record<string, JsonSchema>;
    required?: string[];
    anyOf?: { required: string[] }[];
  };
  const orNull = Object.entries(properties).map(([key, value]) => [
    key,
    required.includes(key) ? value : { anyOf: [value, { type: 'null' }] },
  ]);
  const present = anyOf?.map((each) => ({
    ...each,
    properties: Object.fromEntries(each.required.map((key) => [key, { not: { type: 'null' } }])),
  }));
  return {
    ...rest,
    ...(required.length > 0 || present ? {} : { type: ['object', 'null'] }),
    properties: Object.fromEntries(orNull),
    ...(required.length > 0 ? { required } : {}),
    ...(present ? { anyOf: present } : {}),
  };
}

/**
 * JSON Schemas (draft 2020-12) of what goes over the wire, by file name. They check the form, as `parseSpec` does; names of
 * actions and models, templates and patterns are checked by the worker.
 */
export function jsonSchemas(): Record<string, JsonSchema> {
  return {
    'spec.json': titled('ReflectionSpec', 'The argument of reflectionLoop.', specSchema),
    'evaluation.json': titled('ReflectionEvaluation', 'The judgement of one version.', evaluationSchema),
    'version.json': titled('ReflectionVersion', 'One output of a loop, with its evaluation.', versionSchema),
    'result.json': titled('ReflectionResult', 'The result of reflectionLoop.', resultSchema),
    'progress.json': titled(
      'Progress',
      'Where a run stands: the answer to the query `progress` and to every update.',
      progressSchema,
    ),
    'pipeline.json': withTitle('PipelineSpec', 'The argument of reflectionPipeline.', pipelineJson()),
    'evaluation-request.json': withTitle(
      'EvaluationRequest',
      'The argument of reflectionEvaluate; its result is an evaluation.',
      evaluationJson(),
    ),
    'correction-request.json': withTitle('CorrectionRequest', 'The argument of reflectionCorrect.', correctionJson()),
    'agent-spec.json': titled('AgentReflectionSpec', 'The argument of agentReflection.', agentSpecSchema),
    ...Object.fromEntries(
      Object.entries(COMMAND_SCHEMAS).map(([name, schema]) => [
        `command-${name}.json`,
        withNulls(titled(`Command ${name}`, `The payload of the signal and the update \`${name}\`.`, schema)),
      ]),
    ),
  };
}
