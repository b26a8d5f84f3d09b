import { LOOP_DEFAULTS } from '../../domain/base/defaults';
import { comparesWithPrior, partsOf, partTree } from '../../domain/spec/evaluator-parts';
import type { PartPlan } from '../../domain/state/loop-settings';
import type { Evaluator, ReflectionSpec } from '../../domain/spec/spec';
import type { SpecProblem, TypedProblem } from '../../domain/base/spec-problem';
import { asksModel, evaluatorKind, runsLocally } from '../../evaluators/index';
import type { ProblemContext } from '../../evaluators/types';
import type { SpecParts } from '../../schemas';
import { at } from '../../threads/time-budget';

/** Those of each part: a criterion may be judged by an evaluator of another kind. */
export async function evaluatorMistakes(evaluator: Evaluator, context: ProblemContext): Promise<TypedProblem[]> {
  const parts = new Map(partsOf(partTree(evaluator)).map((part) => [part.path, part]));
  const problems: TypedProblem[] = [];
  for (const part of parts.values()) {
    const found = await at(part.path, () => evaluatorKind(part.evaluator).problems(part.evaluator, context));
    problems.push(...found.map((problem) => ({ ...problem, path: `${part.path}${problem.path}` })));
  }
  return problems;
}

/** A draft has no version before it: nothing would judge it, and any draft would do. */
export function onlyPriorMistakes({ evaluators }: SpecParts): SpecProblem[] {
  const parts = evaluators.flatMap(({ evaluator }) => partsOf(partTree(evaluator)));
  if (parts.length === 0 || !parts.every(({ evaluator }) => comparesWithPrior(evaluator))) return [];
  const message = 'a comparison with the earlier version cannot be all: it accepts every draft. Add another evaluator';
  return [{ path: '/evaluator', message }];
}

/** What is wrong with the settings of judges, their second judge included. */
export async function judgeMistakes(
  { judge, qualityThreshold = LOOP_DEFAULTS.qualityThreshold }: SpecParts,
  context: ProblemContext,
): Promise<TypedProblem[]> {
  const { second, relaxation } = judge ?? {};
  const path = '/judge/second';
  const ofSecond = second
    ? (await at(path, () => evaluatorMistakes(second, context))).map((each) => ({
        ...each,
        path: `${path}${each.path}`,
      }))
    : [];
  const comparing = second && partsOf(partTree(second)).some((part) => comparesWithPrior(part.evaluator));
  return [
    ...ofSecond,
    ...(comparing
      ? [{ path, message: 'cannot compare with the earlier version: a draft has none to confirm it by' }]
      : []),
    ...(relaxation && relaxation.floor > qualityThreshold
      ? [
          {
            path: '/judge/relaxation/floor',
            message: `must not be above qualityThreshold, which is ${qualityThreshold}`,
          },
        ]
      : []),
  ];
}

/** Where the work of an evaluator, or of a part of one, is done. */
export function workPlan(evaluator: Evaluator): PartPlan {
  const local = runsLocally(evaluator);
  return { local, ...(!local && !asksModel(evaluator) && { asksModel: false as const }) };
}

/** The same for each part, of an evaluator that falls into parts, be it one. */
export function partPlans(spec: Pick<ReflectionSpec, 'judge'>, evaluator: Evaluator): { parts?: PartPlan[] } {
  const tree = partTree(evaluator, spec.judge?.votes);
  return tree.kind === 'part' ? {} : { parts: partsOf(tree).map((part) => workPlan(part.evaluator)) };
}
