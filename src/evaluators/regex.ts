import type { Issue } from '../domain/state/evaluation';
import { textOf } from '../domain/base/json';
import type { RegexEvaluator } from '../domain/spec/spec';
import { offloaded } from '../threads/offload';
import { inconclusiveJudgement } from './judge/judge-reply';
import { unknownFlags } from './patterns';
import { patternProblem, type Search, searchText, short } from './pattern-search';
import type { EvaluatorKind } from './types';
import type { TypedProblem } from '../domain/base/spec-problem';

/** Characters of what the event loop compiles and searches itself: less than a millisecond, as a rule. */
const SMALL_PATTERN = 300;
const SMALL_TEXT = 16_000;

const file = require.resolve('./pattern-search');
const key = ({ pattern }: Pick<Search, 'pattern'>): string => pattern;

const search = offloaded({
  file,
  name: searchText.name,
  run: searchText,
  isSmall: ({ pattern, text }: Search) => pattern.length <= SMALL_PATTERN && text.length <= SMALL_TEXT,
  key,
});

const problemOf = offloaded({
  file,
  name: patternProblem.name,
  run: patternProblem,
  isSmall: ({ pattern }) => pattern.length <= SMALL_PATTERN,
  key,
});

/** Judges an output's text by a regular expression: 1 when it has (or has not) what the pattern finds, else 0. */
export const regexEvaluator: EvaluatorKind<RegexEvaluator> = {
  type: 'regex',
  local: true,

  async problems({ pattern, flags = '' }) {
    const problems: TypedProblem[] = unknownFlags(flags).map((flag) => ({
      path: '/flags',
      message: `"${flag}" is no flag: use any of i (ignore case), m (^ and $ match at lines), s (. matches line ends)`,
    }));
    const problem = await problemOf({ pattern });
    return problem === null ? problems : [...problems, { path: '/pattern', message: `cannot be used: ${problem}` }];
  },

  async evaluate(config, { output }, { signal }) {
    signal.throwIfAborted();
    const { pattern, flags = '', mustMatch = true } = config;
    const result = await search({ pattern, flags, text: textOf(output), findsPlace: !mustMatch });
    if ('late' in result) {
      return inconclusiveJudgement(`Searching the output for /${short(pattern)}/ ${result.late}.`);
    }
    const isPass = (result.found !== null) === mustMatch;
    const issues = isPass ? [] : [issueOf(config, result.found)];
    return { outcome: isPass ? 'pass' : 'fail', score: isPass ? 1 : 0, issues, suggestions: [], confidence: 1 };
  },
};

function issueOf({ pattern, flags = '', message, name, type }: RegexEvaluator, found: string | null): Issue {
  const shown = `/${short(pattern)}/${flags}`;
  const told =
    found === null
      ? { message: `the output: must match ${shown}, and does not`, suggestion: `Write it so that ${shown} matches.` }
      : { message: `the output: must not match ${shown}, but has ${found}`, suggestion: 'Take it out.' };
  return {
    message: message ?? told.message,
    path: '',
    severity: 'major',
    ...(message === undefined && { suggestion: told.suggestion }),
    type,
    evaluator: name ?? type,
  };
}
