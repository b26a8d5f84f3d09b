import { asksModel } from '../../evaluators/index';
import type { Preparation } from '../../domain/state/loop-settings';
import { isModelCall } from '../../domain/spec/steps';
import type { ReflectionSpec } from '../../domain/spec/spec';
import type { SpecProblem, TypedProblem } from '../../domain/base/spec-problem';
import { correctionSpec, evaluationSpec, modelOfState } from '../../domain/step-state/standalone';
import { parseCorrection, parseEvaluation, type StandaloneParts, standaloneParts } from '../../schemas';
import { attempted, refuse } from './checks';
import { demandSandbox } from './demand-sandbox';
import { watched } from './looked-up';
import { modelMistakes, preparationOf, problemsOf } from './prepare';
import type { PrepareDependencies } from '../dependencies';

const NO_TOOLS = 'tools are for the steps of a loop: this is one call';

/** A correction alone makes one call, so nobody would answer its tools. */
export function toolMistakes({ corrector }: Pick<StandaloneParts, 'corrector'>): SpecProblem[] {
  const hasTools = corrector && isModelCall(corrector) && (corrector.tools?.length ?? 0) > 0;
  return hasTools ? [{ path: '/corrector/tools', message: NO_TOOLS }] : [];
}

/** True when a call is made that names no model, so that the state's counts. */
function needsModel({ evaluators, corrector }: StandaloneParts): boolean {
  if (corrector && isModelCall(corrector) && corrector.model === undefined) return true;
  return evaluators.some(
    ({ evaluator }) => asksModel(evaluator) && !('model' in evaluator && evaluator.model !== undefined),
  );
}

async function mistakes(value: unknown, dependencies: PrepareDependencies): Promise<TypedProblem[]> {
  if (typeof value !== 'object' || value === null) return [];
  const parts = standaloneParts(value);
  const model = needsModel(parts) ? modelOfState(parts.state) : undefined;
  return [
    ...toolMistakes(parts),
    ...modelMistakes(dependencies.models, '/state/model', model),
    ...(await problemsOf(parts, dependencies)),
  ];
}

async function prepare<Request>(
  value: unknown,
  parse: (value: unknown) => { request: Request } | { problems: SpecProblem[] },
  specOf: (request: Request) => ReflectionSpec,
  given: PrepareDependencies,
  known: readonly string[] | undefined,
): Promise<Preparation> {
  const dependencies = watched(given, known);
  return attempted(async () => {
    const parsed = parse(value);
    const malformed = 'problems' in parsed ? parsed.problems : [];
    const others = await mistakes(value, dependencies);
    if ('problems' in parsed || others.length > 0) throw refuse([...malformed, ...others], dependencies);
    const spec = specOf(parsed.request);
    await demandSandbox([spec], dependencies.sandbox);
    // The attributes tell of iterations: runs without any set none.
    return { ...preparationOf(spec, dependencies), searchAttributes: false };
  });
}

/**
 * Validates the argument of `reflectionEvaluate` before anything is paid for.
 *
 * @throws ApplicationFailure `InvalidSpec` or `UnknownModel`, with every mistake in its first detail;
 *   `StepFailed` when the check itself went wrong
 * @param known of a node: names that were known where its pipeline was checked
 */
export async function prepareEvaluation(
  value: unknown,
  dependencies: PrepareDependencies,
  known?: readonly string[],
): Promise<Preparation> {
  return prepare(value, parseEvaluation, evaluationSpec, dependencies, known);
}

/**
 * Validates the argument of `reflectionCorrect` before anything is paid for.
 *
 * @throws ApplicationFailure `InvalidSpec`, `UnknownAction` or `UnknownModel`, with every mistake in its first detail;
 *   `StepFailed` when the check itself went wrong
 * @param known of a node: names that were known where its pipeline was checked
 */
export async function prepareCorrection(
  value: unknown,
  dependencies: PrepareDependencies,
  known?: readonly string[],
): Promise<Preparation> {
  return prepare(value, parseCorrection, correctionSpec, dependencies, known);
}
