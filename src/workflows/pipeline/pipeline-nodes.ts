import { workflowInfo } from '@temporalio/workflow';
import { type CheckedBefore, createCheckedBefore } from '../../loop/spec/checked-before';
import { toEvaluationState } from '../../loop/step-state/reflection-state';
import type { Json, JsonObject } from '../../lib/json/json';
import { materialIn } from '../../loop/step-state/taint';
import { isModelCall } from '../../loop/spec/steps';
import { scoreText } from '../../lib/text/summary-text';
import { type PipelinePreparation, type PlannedNode } from '../../kinds/pipeline/state/pipeline';
import { childId } from '../../lib/names/child-id';
import {
  afterLoop,
  afterNode,
  materialForLoop,
  stateForLoop,
  stateForNode,
  pickTemplatedSettings,
  withSettings,
} from '../../kinds/pipeline/state/pipeline-state';
import { pipelineInputLimit } from '../../kinds/pipeline/state/pipeline-moves';
import type { ReflectionResult } from '../../loop/contract/results';
import type { Step } from '../../loop/contract/steps';
import type { CorrectionRequest } from '../../loop/contract/requests';
import type { TokenUsage } from '../../lib/contract/values';
import { callStep } from '../functions/call-step';
import { attemptTime, nameOfStep } from '../shared/activity-calls';
import { runChildLoop } from '../loop/child-loop';
import { renderParameters } from './pipeline-calls';
import { correctOnce, evaluateOnce, prepareStandalone } from '../standalone/standalone';
import { renderCount } from '../../lib/text/counted';

interface NodeRun {
  state: JsonObject;
  /** Keys of the state whose texts are not the pipeline's author's. */
  material: readonly string[];
  preparation: PipelinePreparation;
}

export interface NodeEnd {
  state: JsonObject;
  warnings: string[];
  tokenUsage?: TokenUsage;
  /** For the page: how a loop ended, or what an evaluation says. */
  outcome?: string;
}

export async function runNode(node: PlannedNode, run: NodeRun): Promise<NodeEnd> {
  switch (node.kind) {
    case 'loop':
      return runLoopNode(node, run);
    case 'step':
      return runStepNode(node, node.step, run);
    case 'evaluate':
      return runEvaluateNode(node, run);
    default:
      return runCorrectNode(node, run);
  }
}

function beforeOf({ known, timeouts }: PipelinePreparation): CheckedBefore | undefined {
  return createCheckedBefore(known, timeouts);
}

async function runStepNode(node: PlannedNode, step: Step, { state, material, preparation }: NodeRun): Promise<NodeEnd> {
  const read = stateForNode(state, step, preparation.actionNeeds);
  const input = {
    step,
    iteration: 1,
    state: read,
    ...materialIn(read, material),
    timeoutMs: attemptTime(preparation, isModelCall(step)),
  };
  const how = { summary: `${node.name} · ${nameOfStep(step)}`, limit: pipelineInputLimit(preparation) };
  const { maximumStateBytes: maximumOutputBytes } = preparation;
  const outcome = await callStep('generate', { ...preparation, maximumOutputBytes }, input, how);
  const after = afterNode(state, node, outcome.output);
  const warnings = [...outcome.warnings, ...after.warnings];
  return { state: after.state, warnings, tokenUsage: outcome.tokenUsage };
}

async function runLoopNode(node: PlannedNode & { kind: 'loop' }, run: NodeRun): Promise<NodeEnd> {
  const { state, preparation } = run;
  const { value, warnings, material } = await renderParameters(pickTemplatedSettings(node.spec), run, node.name);
  const spec = withSettings(node.spec, value);
  const read = stateForLoop(state, spec, preparation.actionNeeds);
  const given = { ...spec, state: read, ...materialForLoop(read, spec, run.material, material) };
  const id = childId(workflowInfo().workflowId, node.name);
  const result = await runChildLoop(id, given, pipelineInputLimit(preparation), beforeOf(preparation));
  return {
    state: afterLoop(state, node, result),
    warnings: [...warnings, ...lastWarnings(result)],
    tokenUsage: result.tokenUsage,
    outcome: `${result.convergenceReason} after ${renderCount(result.iterationsUsed, 'version')}`,
  };
}

/** Data and errors are rendered; the steps that use the other parameters render these. */
async function requestOf(
  node: PlannedNode & { kind: 'evaluate' | 'correct' },
  run: NodeRun,
): Promise<{ about: Omit<CorrectionRequest, 'corrector'>; warnings: string[] }> {
  const { data, errors, task } = 'corrector' in node ? node : { ...node, errors: undefined };
  const { state, material } = run;
  const parameters = { ...(data === undefined ? {} : { data }), ...(errors === undefined ? {} : { errors }) };
  const { value, warnings } = await renderParameters(parameters, run, node.name);
  // A variable that is not there is no list; then the state's own errors count.
  const { errors: found = null, ...rest } = value;
  const listed = typeof found === 'string' ? [found] : found;
  return {
    about: {
      state,
      ...materialIn(state, material),
      ...rest,
      ...(listed === null ? {} : { errors: listed as CorrectionRequest['errors'] }),
      ...(task === undefined ? {} : { task }),
    },
    warnings,
  };
}

async function runEvaluateNode(node: PlannedNode & { kind: 'evaluate' }, run: NodeRun): Promise<NodeEnd> {
  const { about, warnings } = await requestOf(node, run);
  const request = { evaluator: node.evaluator, ...about };
  const preparation = await prepareStandalone('prepareEvaluation', request, beforeOf(run.preparation));
  const judged = await evaluateOnce(request, preparation, node.name);
  const value = toEvaluationState(judged.evaluation);
  return {
    state: afterNode(run.state, node, value as unknown as Json).state,
    warnings: [...warnings, ...judged.warnings],
    tokenUsage: judged.tokenUsage,
    outcome: `${value.outcome} ${scoreText(value.score)}`,
  };
}

async function runCorrectNode(node: PlannedNode & { kind: 'correct' }, run: NodeRun): Promise<NodeEnd> {
  const { about, warnings } = await requestOf(node, run);
  const request = { corrector: node.corrector, ...about };
  const preparation = await prepareStandalone('prepareCorrection', request, beforeOf(run.preparation));
  const corrected = await correctOnce(request, preparation, node.name);
  return {
    state: afterNode(run.state, node, corrected.output).state,
    warnings: [...warnings, ...corrected.warnings],
    tokenUsage: corrected.tokenUsage,
  };
}

function lastWarnings({ history }: ReflectionResult): string[] {
  return history.versions.find(({ iteration }) => iteration === history.finalIteration)?.warnings ?? [];
}
