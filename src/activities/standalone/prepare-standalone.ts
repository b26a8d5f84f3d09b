import { isJudge } from '../../loop/spec/evaluator-traits';
import type { Preparation } from '../../loop/state/loop-settings';
import { modelOfState } from '../../loop/spec/model-of-calls';
import { isModelCall } from '../../loop/spec/steps';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { TypedProblem } from '../../lib/base/spec-problem';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { correctionSpec, evaluationSpec } from '../../kinds/standalone/state';
import {
  parseCorrection,
  parseEvaluation,
  type StandaloneParts,
  standaloneParts,
} from '../../kinds/standalone/parse/standalone';
import { attemptCheck, checkAnywhere, refuse } from '../prepare/checks';
import { callsMistakes } from '../prepare/evaluator-mistakes';
import { demandSandbox } from '../prepare/demand-sandbox';
import { learnNeeds } from '../prepare/learned';
import { noteLookups } from '../prepare/looked-up';
import { modelMistakes, preparationOf, problemsOf } from '../prepare/prepare';
import type { PrepareDependencies } from '../dependencies';

interface StandaloneActivities {
  /** Local. Checks the argument of `reflectionEvaluate` as `prepare` does. */
  prepareEvaluation(input: { request: unknown; known?: string[] }): Promise<Preparation>;
  /** Local. Checks the argument of `reflectionCorrect` as `prepare` does. */
  prepareCorrection(input: { request: unknown; known?: string[] }): Promise<Preparation>;
}

declare module '../protocol' {
  interface ReflectionActivities extends StandaloneActivities {}
}

const NO_TOOLS = 'tools are for the steps of a loop: this is one call';

/** A correction makes one call, so no second call would use the answers of its tools. */
export function toolMistakes({ corrector }: Pick<StandaloneParts, 'corrector'>): SpecProblem[] {
  const hasTools = corrector && isModelCall(corrector) && (corrector.tools?.length ?? 0) > 0;
  return hasTools ? [{ path: '/corrector/tools', message: NO_TOOLS }] : [];
}

/** Whether a model call names no model, so that the model named in the state is used. */
function needsModel({ evaluators, corrector }: StandaloneParts): boolean {
  if (corrector && isModelCall(corrector) && corrector.model === undefined) return true;
  return evaluators.some(
    ({ evaluator }) => isJudge(evaluator) && !('model' in evaluator && evaluator.model !== undefined),
  );
}

async function mistakes(value: unknown, dependencies: PrepareDependencies): Promise<TypedProblem[]> {
  if (typeof value !== 'object' || value === null) return [];
  const parts = standaloneParts(value);
  const model = needsModel(parts) ? modelOfState(parts.state) : undefined;
  return [
    ...toolMistakes(parts),
    ...callsMistakes(parts),
    ...modelMistakes(dependencies.models, `/state/${model?.key}`, model?.name),
    ...(await problemsOf(parts, dependencies)),
  ];
}

/** Throws as `preparePipeline` does. `known`: for a node, the names that its pipeline's worker knew. */
async function prepareStandalone<Request>(
  parse: (value: unknown) => { request: Request } | { problems: SpecProblem[] },
  specOf: (request: Request) => ReflectionSpec,
  { request, known }: { request: unknown; known?: string[] },
  given: PrepareDependencies,
): Promise<Preparation> {
  return attemptCheck(async () => {
    const dependencies = noteLookups(await learnNeeds(request, given), known);
    const parsed = parse(request);
    const malformed = 'problems' in parsed ? parsed.problems : [];
    const others = await mistakes(request, dependencies);
    if ('problems' in parsed || others.length > 0) throw refuse([...malformed, ...others], dependencies);
    const spec = specOf(parsed.request);
    await demandSandbox([spec], dependencies.sandbox);
    // The search attributes are about iterations, which this run does not have.
    return { ...preparationOf(spec, dependencies), searchAttributes: false };
  });
}

export function standaloneActivities(dependencies: PrepareDependencies): StandaloneActivities {
  return {
    prepareEvaluation: (input) =>
      checkAnywhere(() => prepareStandalone(parseEvaluation, evaluationSpec, input, dependencies)),
    prepareCorrection: (input) =>
      checkAnywhere(() => prepareStandalone(parseCorrection, correctionSpec, input, dependencies)),
  };
}
