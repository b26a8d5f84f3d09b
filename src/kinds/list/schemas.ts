import { z } from 'zod';
import type { MessageFields } from '../../lib/base/message-fields';
import { convertSchema, type JsonSchema, meaningOf } from '../../lib/contract/convert';
import type { PublishedShapes } from '../../lib/contract/published';
import { optional } from '../../lib/contract/values';
import { evaluationState } from '../../loop/contract/evaluation';
import { correctionRequest, errorList, evaluationRequest } from '../../loop/contract/requests';
import { correctionResult } from '../../loop/contract/results';
import { fieldJson, objectJson } from '../../loop/parse/message-json-schemas';
import {
  listCommandShapes,
  listFailureShapes,
  listLoopShapes,
  listShortShapes,
} from '../../loop/parse/published-shapes';
import { agentReport, populationProgress, reflectionsPage, triggerAnswer } from '../agents/contract/agent-results';
import { agentReflectionSpec, reflectionConfig } from '../agents/contract/agents';
import { EVENT, EVENT_ALIASES, EVENT_CONTEXT } from '../agents/state/agent-event';
import { batchSpec } from '../batch/contract/batch';
import { batchLine, batchProgress, batchResult } from '../batch/contract/batch-results';
import { pipelineSpec } from '../pipeline/contract/pipeline';
import { pipelineProgress, pipelineResult } from '../pipeline/contract/pipeline-results';
import { buildPipelineJson } from '../pipeline/parse/json-schema';
import { plan, planSpec, reflectionCriteria, task } from '../plan/contract/plan';
import {
  episode,
  failurePattern,
  planEvaluation,
  planProgress,
  planResult,
  taskResult,
} from '../plan/contract/plan-results';
import { runReport } from '../report/contract';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

function givenOrLeft(field: string, key: string, left: JsonSchema = {}): JsonSchema {
  return {
    anyOf: [
      { required: [field] },
      { properties: { state: { type: 'object', properties: { [key]: left }, required: [key] } }, required: ['state'] },
    ],
  };
}

const DATA = givenOrLeft('data', 'reflection_output');

function buildEvaluationJson(): JsonSchema {
  return { ...convertSchema(evaluationRequest), ...DATA };
}

/** The JSON Schema of the argument of `reflectionCorrect`. There is no generator that a hint could help. */
function buildCorrectionJson(): JsonSchema {
  const { properties, ...rest } = convertSchema(correctionRequest) as { properties: Record<string, JsonSchema> };
  const { anyOf } = properties['corrector'] as { anyOf: { properties: JsonSchema }[] };
  const corrector = {
    ...meaningOf(properties['corrector']!),
    anyOf: anyOf.map((form) => ({ ...form, properties: { ...form.properties, mode: { const: 'replace' } } })),
  };
  const errors = givenOrLeft('errors', 'reflection_errors', convertSchema(errorList));
  return { ...rest, properties: { ...properties, corrector }, allOf: [DATA, errors] };
}

function buildEventJson(): JsonSchema {
  const { properties, ...rest } = objectJson(EVENT);
  const known: MessageFields = EVENT_CONTEXT;
  const aliases = Object.fromEntries(Object.entries(EVENT_ALIASES).map(([alias, key]) => [alias, known[key]!]));
  const context = { ...objectJson({ ...known, ...aliases }), additionalProperties: {} };
  return {
    ...rest,
    properties: { ...properties, context: fieldJson(EVENT.context, context) },
    // A decision always has an agent.
    anyOf: [
      { properties: { kind: { not: { const: 'decision' } } } },
      { properties: { agentId: { type: 'string' } }, required: ['agentId'] },
    ],
  };
}

/** Lists every shape that goes over the wire, by the name of its JSON Schema. */
export function listPublishedShapes(): PublishedShapes {
  return {
    ...listLoopShapes(),
    'evaluation-request': [
      'EvaluationRequest',
      'The argument of reflectionEvaluate; its result is an evaluation.',
      evaluationRequest,
      buildEvaluationJson,
    ],
    'evaluation-state': ['EvaluationState', 'What a reflection.evaluate node of a pipeline makes.', evaluationState],
    'correction-request': [
      'CorrectionRequest',
      'The argument of reflectionCorrect.',
      correctionRequest,
      buildCorrectionJson,
    ],
    'correction-result': ['CorrectionResult', 'The result of reflectionCorrect.', correctionResult],
    pipeline: ['PipelineSpec', 'The argument of reflectionPipeline.', pipelineSpec, () => buildPipelineJson()],
    'pipeline-result': ['PipelineResult', 'The result of reflectionPipeline.', pipelineResult],
    'pipeline-progress-question': [
      'PipelineProgressQuestion',
      'The argument of the query `progress` of reflectionPipeline, which may be left out: whether the state is wanted.',
      z.strictObject({ state: optional(z.boolean(), 'Whether the state is wanted.', true) }),
    ],
    'pipeline-progress': [
      'PipelineProgress',
      'The answer to the query `progress` of reflectionPipeline.',
      pipelineProgress,
    ],
    'plan-spec': ['PlanSpec', 'The argument of planReflection.', planSpec],
    plan: ['Plan', 'Tasks, and what they depend on.', plan],
    task: ['Task', 'One task of a plan.', task],
    'reflection-criteria': ['ReflectionCriteria', 'What counts as success of a plan.', reflectionCriteria],
    'task-result': ['TaskResult', 'The result of a task.', taskResult],
    'plan-evaluation': ['Evaluation', 'What was found about a task or about a plan.', planEvaluation],
    'failure-pattern': ['FailurePattern', 'Failures that look as if they had one cause.', failurePattern],
    'plan-result': ['PlanRunResult', 'The result of planReflection.', planResult],
    'plan-progress': ['PlanProgress', 'The answer to the query `progress` of planReflection.', planProgress],
    episode: ['Episode', 'A goal, what was planned and done for it, and what was thought of that.', episode],
    'agent-spec': ['AgentReflectionSpec', 'The argument of agentReflection.', agentReflectionSpec],
    'reflection-config': ['ReflectionConfig', 'When and how agents reflect.', reflectionConfig],
    'agent-event': [
      'AgentEvent',
      'The payload of the signal and the update `trigger` of agentReflection.',
      undefined,
      buildEventJson,
    ],
    'trigger-answer': ['TriggerAnswer', 'The answer to the update `trigger`.', triggerAnswer],
    'agent-report': ['AgentReflectionReport', 'The result of agentReflection.', agentReport],
    'agent-progress': [
      'PopulationProgress',
      'The answer to the query `progress` of agentReflection.',
      populationProgress,
    ],
    'reflections-question': [
      'ReflectionsQuestion',
      'The argument of the query `reflections`, which may be left out: the first number and the agent wanted.',
      z.strictObject({
        from: optional(z.int(), 'The first number wanted.', 1),
        agentId: optional(z.string(), 'Id of the agent. Default: all.'),
      }),
    ],
    'reflections-page': [
      'ReflectionsPage',
      'The answer to the query `reflections`; `next` is the `from` of the next page.',
      reflectionsPage,
    ],
    'batch-spec': ['BatchSpec', 'The argument of reflectionBatch; `client.batches.start` makes it.', batchSpec],
    'batch-result': ['BatchResult', 'The result of reflectionBatch.', batchResult],
    'batch-progress': [
      'BatchProgress',
      'The answer to the query `progress` of reflectionBatch, and to its updates.',
      batchProgress,
    ],
    'batch-line': ['BatchLine', 'The result of an item of a batch.', batchLine],
    ...listFailureShapes(),
    ...listCommandShapes(),
    'run-report': ['RunReport', 'What `reflect report --json` prints.', runReport],
    ...listShortShapes(),
  };
}

/** Draft 2020-12, by file name. They check the form, as `parseSpec` does; the worker checks names, templates and patterns. */
export function jsonSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(listPublishedShapes()).map(([name, [title, description, schema = z.never(), json]]) => [
      `${name}.json`,
      { $schema: DRAFT, title, description, ...(json ? json() : convertSchema(schema)) },
    ]),
  );
}
