import { runReport } from '../report/contract';
import { z } from 'zod';
import { agentReflectionSpec, reflectionConfig } from '../agents/contract/agents';
import { agentReport, populationProgress, reflectionsPage, triggerAnswer } from '../agents/contract/agent-results';
import { batchSpec } from '../batch/contract/batch';
import { batchLine, batchProgress, batchResult } from '../batch/contract/batch-results';
import { COMMAND_NAMES } from '../../loop/base/command-payloads';
import { correctionRequest, evaluationRequest } from '../standalone/contract/requests';
import { convertSchema, type JsonSchema } from '../../lib/contract/convert';
import { criterion, evaluator } from '../../loop/contract/evaluators';
import { codeFailure, reflectionFailure, specFailure, stepFailure } from '../../loop/contract/failures';
import { buildCommandJson, buildEventJson } from '../schemas/message-json-schemas';
import { pipelineSpec } from '../pipeline/contract/pipeline';
import { buildPipelineJson } from '../pipeline/parse/json-schema';
import { pipelineProgress, pipelineResult } from '../pipeline/contract/pipeline-results';
import { plan, planSpec, reflectionCriteria, task } from '../plan/contract/plan';
import {
  episode,
  failurePattern,
  planEvaluation,
  planProgress,
  planResult,
  taskResult,
} from '../plan/contract/plan-results';
import { evaluation, evaluationState } from '../../loop/contract/evaluation';
import { correctionResult, historyPage, progress, reflectionState, result, version } from '../../loop/contract/results';
import { loopSpec } from '../../loop/contract/spec';
import { buildCorrectionJson, buildEvaluationJson } from '../standalone/parse/json-schemas';
import { corrector, step } from '../../loop/contract/steps';
import { optional } from '../../lib/contract/values';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * The title and the description of a shape, and its zod schema; its JSON Schema if that says more than the zod schema does.
 */
type Entry = readonly [title: string, description: string, schema?: z.ZodType, json?: () => JsonSchema];

/** Shapes of `reflectionLoop`. */
const loops = (): Record<string, Entry> => ({
  spec: ['ReflectionSpec', 'The argument of reflectionLoop.', loopSpec],
  step: ['Step', 'A generator, a node of a pipeline or a task of a plan: what runs.', step],
  corrector: ['Corrector', 'What corrects: a step, and what its result is.', corrector],
  evaluator: ['Evaluator', 'One evaluator.', evaluator],
  'quality-criterion': ['QualityCriterion', 'One criterion of an evaluator of type `criteria`.', criterion],
  evaluation: ['ReflectionEvaluation', 'The judgement of one version; the result of reflectionEvaluate.', evaluation],
  version: ['ReflectionVersion', 'One output of a loop, with its evaluation.', version],
  result: ['ReflectionResult', 'The result of reflectionLoop.', result],
  progress: [
    'Progress',
    'Where a run stands: the answer to the query `progress` of reflectionLoop, and to each of its updates.',
    progress,
  ],
  'history-question': [
    'HistoryQuestion',
    'The argument of the query `history`, which may be left out: the first iteration wanted.',
    z.strictObject({
      from: optional(z.int(), 'The first iteration to return.', 1),
      carried: optional(
        z.boolean(),
        'Whether versions of earlier runs are wanted, too, as this run took them over.',
        false,
      ),
    }),
  ],
  'history-page': [
    'HistoryPage',
    'The answer to the query `history`; `next` is the `from` of the next page.',
    historyPage,
  ],
  'reflection-state': ['ReflectionState', 'A result as later steps of a pipeline see it.', reflectionState],
});

/** Shapes of `reflectionEvaluate`, `reflectionCorrect` and `reflectionPipeline`. */
const steps = (): Record<string, Entry> => ({
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
  pipeline: ['PipelineSpec', 'The argument of reflectionPipeline.', pipelineSpec, buildPipelineJson],
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
});

/** Shapes of `planReflection`. */
const plans = (): Record<string, Entry> => ({
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
});

/** Shapes of `agentReflection`. */
const agents = (): Record<string, Entry> => ({
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
});

/** Shapes of `reflectionBatch`. */
const batches = (): Record<string, Entry> => ({
  'batch-spec': ['BatchSpec', 'The argument of reflectionBatch; `client.batch.start` makes it.', batchSpec],
  'batch-result': ['BatchResult', 'The result of reflectionBatch.', batchResult],
  'batch-progress': [
    'BatchProgress',
    'The answer to the query `progress` of reflectionBatch, and to its updates.',
    batchProgress,
  ],
  'batch-line': ['BatchLine', 'The result of an item of a batch.', batchLine],
});

/** Shapes of failures. */
const failures = (): Record<string, Entry> => ({
  'failure-spec': [
    'SpecFailureDetail',
    'The first detail of InvalidSpec, UnknownAction and UnknownModel: all mistakes.',
    specFailure,
  ],
  'failure-reflection': [
    'ReflectionFailedErrorDetail',
    'The first detail of ReflectionFailedError: every attempt.',
    reflectionFailure,
  ],
  'failure-step': [
    'StepFailedDetail',
    'The first detail of StepFailed, Model.… and OutputTooLarge: what failed.',
    stepFailure,
  ],
  'failure-code': [
    'CodeFailureDetail',
    'A detail of StepFailed where inline code failed: its language, and its line where that is known.',
    codeFailure,
  ],
});

/** Shapes of the payloads of commands. */
const commands = (): Record<string, Entry> =>
  Object.fromEntries(
    COMMAND_NAMES.map((name) => [
      `command-${name}`,
      [
        `Command ${name}`,
        `The payload of the signal and the update \`${name}\`.`,
        undefined,
        () => buildCommandJson(name),
      ],
    ]),
  );

/** Shapes of `reflect report` and `client.report`. */
const reports = (): Record<string, Entry> => ({
  'run-report': ['RunReport', 'What `reflect report --json` prints.', runReport],
});

/** Lists every shape that goes over the wire, by the name of its JSON Schema. */
export function listPublishedShapes(): Record<string, Entry> {
  return { ...loops(), ...steps(), ...plans(), ...agents(), ...batches(), ...failures(), ...commands(), ...reports() };
}

/**
 * Returns the JSON Schemas (draft 2020-12) of what goes over the wire, by file name. They check the form, as `parseSpec`
 * does; names of actions and models, templates and patterns are checked by the worker.
 */
export function jsonSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(listPublishedShapes()).map(([name, [title, description, schema = z.never(), json]]) => [
      `${name}.json`,
      { $schema: DRAFT, title, description, ...(json ? json() : convertSchema(schema)) },
    ]),
  );
}
