import { createActionRegistry } from '../../actions/registry';
import { modelFailureType } from '../../activities/failures';
import { evaluatorKind } from '../../evaluators';
import { renderTask } from '../../evaluators/rendered-task';
import type { EvaluationRequest } from '../../loop/contract/requests';
import { runConcurrently } from '../../lib/base/concurrently';
import { createModels } from '../../lib/models';
import type { ModelConfig } from '../../lib/models/types';
import { LOOP_DEFAULTS } from '../../loop/base/defaults';
import { combineVerdicts } from '../../loop/evaluation/combine';
import type { ReflectionEvaluation } from '../../loop/contract/evaluation';
import type { Evaluator } from '../../loop/contract/evaluators';
import { type JudgeModel, judgeModel } from './judge-records';

/** A local server answers one call after the other, so that the last one waits for all others. */
const TIMEOUT_MS = 600_000;
const SIDE_BY_SIDE = 4;

export type TriedJudge = JudgeModel & ({ evaluations: ReflectionEvaluation[] } | { type: string; message: string });

/**
 * Lets a model judge outputs, each with one call, which is paid for. The first failure of a call ends it.
 * @param requests evaluations by one judge that does not name a model
 * @param configs the worker's models; none: the environment's
 * @param name of one of them. Default: the one that a worker calls by default
 */
export async function tryJudge(
  requests: readonly EvaluationRequest[],
  env: NodeJS.ProcessEnv,
  configs: readonly ModelConfig[] = [],
  name?: string,
): Promise<TriedJudge> {
  let model: JudgeModel = { endpoint: '', model: name ?? env['OPENAI_MODEL'] ?? '' };
  try {
    const models = createModels(configs, env);
    model = judgeModel(models.served, name, env) ?? model;
    const signal = new AbortController().signal;
    const context = { models, actions: createActionRegistry([]), signal };
    const evaluations: ReflectionEvaluation[] = [];
    await runConcurrently([...requests.entries()], SIDE_BY_SIDE, async ([index, request]) => {
      const evaluator = request.evaluator as Evaluator;
      const { data: output = null } = request;
      const state = { ...request.state, reflection_output: output };
      const input = {
        output,
        state,
        ...(await renderTask(request.task, state)),
        qualityThreshold: LOOP_DEFAULTS.qualityThreshold,
        iteration: 1,
        workflowId: 'doctor',
        structured: true,
        timeoutMs: TIMEOUT_MS,
        ...(name !== undefined && { model: name }),
      };
      const judgement = await evaluatorKind(evaluator).evaluate(evaluator, input, context);
      const { type } = evaluator;
      evaluations[index] = combineVerdicts([{ ...judgement, name: type, type, ms: 0 }], () => 1);
    });
    return { ...model, evaluations };
  } catch (error) {
    return { ...model, type: modelFailureType(error), message: (error as Error).message };
  }
}
