import { LOOP_DEFAULTS } from '../../loop/base/defaults';
import { comparesWithPrior, partsOf, partTree } from '../../loop/spec/evaluator-parts';
import { evaluatorPlace, evaluatorTraits } from '../../loop/spec/evaluator-traits';
import type { PartPlan } from '../../loop/state/loop-settings';
import type { Evaluator } from '../../loop/contract/evaluators';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { TypedProblem } from '../../lib/base/spec-problem';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { evaluatorKind } from '../../evaluators';
import type { ProblemContext } from '../../evaluators/types';
import type { SpecParts } from '../../loop/parse/spec';
import { checkInTurn, mistakesAt } from './checks';

const NO_CALLS = 'checks the calls of a loop, and there is no loop here: nothing would be found';

/** Lists the mistakes of an evaluator, part by part: a criterion may be judged by an evaluator of another kind. */
export async function evaluatorMistakes(evaluator: Evaluator, context: ProblemContext): Promise<TypedProblem[]> {
  const parts = new Map(partsOf(partTree(evaluator)).map((part) => [part.path, part]));
  return checkInTurn(parts.values(), ({ path, inner = '', evaluator: part }) =>
    mistakesAt(path, async () => {
      const problems = await evaluatorKind(part).problems(part, context);
      return problems.map((problem) => ({ ...problem, path: problem.path.slice(inner.length) }));
    }),
  );
}

export function callsMistakes({ evaluators }: Pick<SpecParts, 'evaluators'>): SpecProblem[] {
  return evaluators.flatMap(({ path, evaluator }) =>
    partsOf(partTree(evaluator)).flatMap((part) =>
      evaluatorTraits(part.evaluator.type).evidence === 'checked'
        ? [{ path: `${path}${part.path}`, message: NO_CALLS }]
        : [],
    ),
  );
}

/** A spec must not only compare with the version before: any draft would do. */
export function onlyPriorMistakes({ evaluators }: SpecParts): SpecProblem[] {
  const parts = evaluators.flatMap(({ evaluator }) => partsOf(partTree(evaluator)));
  if (parts.length === 0 || !parts.every(({ evaluator }) => comparesWithPrior(evaluator))) return [];
  const message = 'a comparison with the earlier version cannot be all: it accepts every draft. Add another evaluator';
  return [{ path: '/evaluator', message }];
}

export async function judgeMistakes(
  { judge, qualityThreshold = LOOP_DEFAULTS.qualityThreshold }: SpecParts,
  context: ProblemContext,
): Promise<TypedProblem[]> {
  const { second, relaxation } = judge ?? {};
  const path = '/judge/second';
  const problems = second ? await mistakesAt(path, () => evaluatorMistakes(second, context)) : [];
  if (second && partsOf(partTree(second)).some((part) => comparesWithPrior(part.evaluator))) {
    problems.push({ path, message: 'cannot compare with the earlier version: a draft has none to confirm it by' });
  }
  if (relaxation && relaxation.floor > qualityThreshold) {
    const message = `must not be above qualityThreshold, which is ${qualityThreshold}`;
    problems.push({ path: '/judge/relaxation/floor', message });
  }
  return problems;
}

export function workPlan(evaluator: Evaluator): PartPlan {
  const place = evaluatorPlace(evaluator);
  return { local: place === 'locally', ...(place === 'as_step' && { asksModel: false as const }) };
}

export function partPlans(spec: Pick<ReflectionSpec, 'judge'>, evaluator: Evaluator): { parts?: PartPlan[] } {
  const tree = partTree(evaluator, spec.judge?.votes);
  return tree.kind === 'part' ? {} : { parts: partsOf(tree).map((part) => workPlan(part.evaluator)) };
}
