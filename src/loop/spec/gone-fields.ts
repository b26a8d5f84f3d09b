import type { SpecProblem } from '../../lib/contract/spec-problem';

/** Fields that a release took away, by the ends of their paths, with what to use instead. */
const GONE_FIELDS: Readonly<Record<string, string>> = {
  '/judge/docket':
    'is gone since 0.3; `convergence: { endsWith: "minor" }` ends a loop that has only minor issues left',
  '/valuesFrom': 'is gone since 0.3; a `function` evaluator compares the values of an output with its inputs',
};

/** Says of a field that an earlier release knew what takes its place. */
export function withRemedy(problem: SpecProblem): SpecProblem {
  const gone = Object.entries(GONE_FIELDS).find(([end]) => problem.path.endsWith(end));
  return gone ? { ...problem, message: gone[1] } : problem;
}
