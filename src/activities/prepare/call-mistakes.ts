import { callRules } from '../../loop/evidence/call-rules';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { didYouMean } from '../../lib/names/nearest-name';
import type { SpecParts } from '../../loop/parse/spec';
import { partsOf, partTree } from '../../loop/spec/evaluator-parts';
import type { PrepareDependencies } from '../dependencies';
import { isModelCall } from '../../loop/spec/steps';

/** Lists the calls that the steps of a spec can make; undefined if a step is a function or a workflow, which may report its own. */
function possibleCalls({ generator, corrector }: SpecParts, functions: readonly string[]): string[] | undefined {
  const steps = [generator, ...(corrector ? [corrector] : [])];
  const names: string[] = [];
  for (const step of steps) {
    if (!step || 'workflow' in step || ('action' in step && functions.includes(step.action))) return undefined;
    if ('run' in step) names.push(step.language ?? 'python');
    else names.push(...(isModelCall(step) ? (step.tools ?? []) : [step.action]));
  }
  return names;
}

/** Lists the rules of evaluators about calls that no step can make: they could never be met, or never be broken. */
export function unmadeCallMistakes(spec: SpecParts, { functions = [] }: PrepareDependencies): SpecProblem[] {
  const names = possibleCalls(spec, functions);
  if (!names) return [];
  const has = names.length === 0 ? 'no step has tools' : `the steps have ${names.join(', ')}`;
  return spec.evaluators.flatMap(({ path, evaluator }) =>
    partsOf(partTree(evaluator)).flatMap(({ path: place, inner = '', evaluator: part }) =>
      callRules(part)
        .filter(({ name }) => !names.includes(name))
        .map((rule) => ({
          path: path + place + (rule.path.startsWith(inner) ? rule.path.slice(inner.length) : rule.path),
          message: `names the call "${rule.name}", which no step can make${didYouMean(rule.name, names)}; ${has}`,
        })),
    ),
  );
}
