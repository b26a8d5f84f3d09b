import type { Issue } from '../domain/evaluation';
import { textOf } from '../domain/json';
import type { RegexEvaluator } from '../domain/spec';
import { TimeLimitExceeded, withTimeLimit } from '../templates/time-limit';
import { inconclusiveJudgement } from './judge-reply';
import { linearPattern, unknownFlags } from './patterns';
import { checkTimeLimit } from './time-limits';
import type { EvaluatorKind, EvaluatorProblem } from './types';

const MAX_SHOWN = 80;

/** Judges an output's text by a regular expression: 1 when it has (or has not) what the pattern finds, else 0. */
export const regexEvaluator: EvaluatorKind<RegexEvaluator> = {
  type: 'regex',
  local: true,

  problems({ pattern, flags = '' }) {
    const problems: EvaluatorProblem[] = unknownFlags(flags).map((flag) => ({
      path: '/flags',
      message: `"${flag}" is no flag: use any of i (ignore case), m (^ and $ match at lines), s (. matches line ends)`,
    }));
    try {
      linearPattern(pattern);
    } catch (error) {
      problems.push({ path: '/pattern', message: `cannot be used: ${(error as Error).message}` });
    }
    return problems;
  },

  async evaluate(config, { output }, { signal }) {
    signal.throwIfAborted();
    const text = textOf(output);
    try {
      const compiled = linearPattern(config.pattern, config.flags);
      const found = withTimeLimit(checkTimeLimit(text.length), () => {
        // Without groups the engine is much faster; where the match is, only an issue needs to know.
        if (!compiled.test(text)) return undefined;
        return config.mustMatch === false ? placeOf(compiled.matcher(text), text) : '';
      });
      const isPass = (found !== undefined) === (config.mustMatch ?? true);
      const issues = isPass ? [] : [issueOf(config, found)];
      return { outcome: isPass ? 'pass' : 'fail', score: isPass ? 1 : 0, issues, suggestions: [], confidence: 1 };
    } catch (error) {
      if (!(error instanceof TimeLimitExceeded)) throw error;
      return inconclusiveJudgement(`Searching the output for /${short(config.pattern)}/ ${error.message}.`);
    }
  },
};

function issueOf({ pattern, flags = '', message, name, type }: RegexEvaluator, found: string | undefined): Issue {
  const shown = `/${short(pattern)}/${flags}`;
  const told =
    found === undefined
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

interface Finder {
  find(): boolean;
  group(): string | null;
  start(): number;
}

function placeOf(finder: Finder, text: string): string {
  if (!finder.find()) return 'it';
  const line = text.slice(0, finder.start()).split('\n').length;
  return `${JSON.stringify(short(finder.group() ?? ''))} in line ${line}`;
}

function short(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
