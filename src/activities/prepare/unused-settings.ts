import type { ReflectionSpec } from '../../loop/contract/spec';
import { evaluatorTraits, isJudge } from '../../loop/spec/evaluator-traits';
import { allParts, evaluatorsOf } from '../../loop/spec/judges';
import { builtInAdviser, builtInReviser, isModelCall } from '../../loop/spec/steps';
import type { LoopSettings } from '../../loop/state/loop-settings';

function callsModel(spec: ReflectionSpec): boolean {
  const { generator, corrector } = spec;
  const steps = [generator, corrector, builtInReviser(spec), builtInAdviser(spec)];
  return (
    steps.some((step) => step !== undefined && isModelCall(step)) ||
    allParts(spec).some(({ evaluator }) => isJudge(evaluator))
  );
}

export function warnOfUnusedSettings(spec: ReflectionSpec, needed: Pick<LoopSettings, 'questions'>): string[] {
  const judges = [...evaluatorsOf(spec), ...allParts(spec).map(({ evaluator }) => evaluator)];
  return [
    ...(spec.questions && !needed.questions
      ? ['/questions: has no effect: no step has the tool `ask_person`, or one that needs approval']
      : []),
    ...(spec.judge?.blockers && !judges.some(({ type }) => evaluatorTraits(type).asksForIssues)
      ? ['/judge/blockers: has no effect: no evaluator is of the type `llm` or `criteria`']
      : []),
    ...(spec.budget?.announce && !callsModel(spec)
      ? ['/budget/announce: has no effect: no step and no judge asks a model']
      : []),
  ];
}
