import { runBuiltInRevision } from '../actions/revision/revise';
import { runStep } from '../actions/step';
import type { StepContext } from '../actions/types';
import { evaluatorKind } from '../evaluators';
import { renderTask } from '../evaluators/rendered-task';
import type { EvaluationContext, EvaluationInput } from '../evaluators/types';
import { omitUndefined } from '../lib/base/defined';
import { isModelCall } from '../loop/spec/steps';
import type { Judgement } from '../loop/state/evaluation';
import type { StepOutcome } from '../loop/step-state/step-call';
import type { EvaluateInput, RepairInput, StepInput } from './protocol';

/* The work of activities by their input alone: a prompt that is rendered again is written by the same code. */

async function evaluationInput(
  { thresholds, ...input }: Omit<EvaluateInput, 'evaluators' | 'names' | 'idempotencyKey' | 'chain'>,
  workflowId: string,
  position = 0,
): Promise<EvaluationInput> {
  const state = { ...input.state, reflection_output: input.output };
  const task = await renderTask(input.task, state, input.material);
  const qualityThreshold = thresholds?.[position] ?? input.qualityThreshold;
  return { ...input, ...task, state, qualityThreshold, workflowId };
}

export async function makeOutput(input: StepInput, workflowId: string, context: StepContext): Promise<StepOutcome> {
  const { step, revision, stream: _stream, chain: _chain, ...rest } = input;
  const stepInput = { ...rest, workflowId };
  return revision && isModelCall(step)
    ? runBuiltInRevision(step, stepInput, revision, context)
    : runStep(step, stepInput, context);
}

export async function makeVerdict(
  input: EvaluateInput,
  index: number,
  workflowId: string,
  context: EvaluationContext,
): Promise<Judgement> {
  const { evaluators, names: _names, idempotencyKey: _key, chain: _chain, ...rest } = input;
  const evaluator = evaluators[index]!;
  return evaluatorKind(evaluator).evaluate(evaluator, await evaluationInput(rest, workflowId, index), context);
}

export async function repairVerdict(
  input: RepairInput,
  workflowId: string,
  context: EvaluationContext,
): Promise<Judgement> {
  const { evaluator, name: _name, reply, answers, idempotencyKey: _key, chain: _chain, ...rest } = input;
  const kind = evaluatorKind(evaluator);
  if (!kind.repair) throw new TypeError(`${evaluator.type} has no repair`);
  const unreadable = omitUndefined({ reply, answers });
  return kind.repair(evaluator, await evaluationInput(rest, workflowId), unreadable, context);
}
