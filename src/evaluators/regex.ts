import type { Issue } from '../loop/contract/evaluation';
import { textOf } from '../lib/json/json';
import type { RegexEvaluator } from '../loop/contract/evaluators';
import { offload } from '../lib/threads/offload';
import { makeJudgement, inconclusiveJudgement } from './judgement';
import { patternProblem, type Search, searchText, short, unknownFlags } from './patterns';
import type { EvaluatorKind } from './types';
import type { TypedProblem } from '../lib/base/spec-problem';

/** Characters of what the event loop compiles and searches itself: less than a millisecond, as a rule. */
const SMALL_PATTERN = 300;
const SMALL_TEXT = 16_000;

const file = require.resolve('./patterns');
const key = ({ pattern }: Pick<Search, 'pattern'>): string => pattern;
const isSmall = ({ pattern, text = '' }: Partial<Search> & Pick<Search, 'pattern'>): boolean =>
  pattern.length <= SMALL_PATTERN && text.length <= SMALL_TEXT;

const search = offload({ file, name: searchText.name, run: searchText, isSmall, key });
const problemOf = offload({ file, name: patternProblem.name, run: patternProblem, isSmall, key });

/** Judges an output's text by a regular expression: 1 when it has (or has not) what the pattern finds, else 0. */
export const regexEvaluator: EvaluatorKind<RegexEvaluator> = {
  type: 'regex',

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
    return makeJudgement(isPass, { issues: isPass ? [] : [issueOf(config, result.found)] });
  },
};

function issueOf({ pattern, flags = '', message, name, type }: RegexEvaluator, found: string | null): Issue {
  const shown = `/${short(pattern)}/${flags}`;
  const told =
    found === null
      ? { message: `the output: must match ${shown}, and does not`, suggestion: `Write it so that ${shown} matches.` }
      : { message: `the output: must not match ${shown}, but has ${found}`, suggestion: 'Take it out.' };
  return {
    ...(message === undefined ? told : { message }),
    path: '',
    severity: 'major',
    type,
    evaluator: name ?? type,
  };
}
