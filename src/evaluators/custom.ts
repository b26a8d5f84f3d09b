import { codeProblems, sandboxOf } from '../actions/inline-code';
import type { CustomEvaluator } from '../loop/contract/evaluators';
import { CodeFailed } from '../lib/sandbox';
import { brokenJudgement, inconclusiveJudgement } from './judgement';
import type { EvaluatorKind } from './types';
import { judgementOfValue } from './value-judgement';

/** Inline code judges an output: see `judgementOfValue` for what it may return. Code that fails has not judged. */
export const customEvaluator: EvaluatorKind<CustomEvaluator> = {
  type: 'custom',

  problems: (config, { sandbox }) => codeProblems(config, sandbox),

  async evaluate(config, input, { sandbox, signal }) {
    const { language = 'python', run: code } = config;
    const { output, state, timeoutMs, qualityThreshold } = input;
    const what = 'the code';
    try {
      const job = { language, code, inputs: { state, output }, limits: { timeMs: timeoutMs }, signal };
      const value = await sandboxOf(sandbox).run(job);
      if (value === undefined) return brokenJudgement('the code neither returned a value nor set `result`.');
      return judgementOfValue(value, { name: config.name ?? config.type, what, qualityThreshold });
    } catch (error) {
      if (!(error instanceof CodeFailed)) throw error;
      const why = `the code failed: ${error.message}`;
      return error.reason === 'error' ? brokenJudgement(why) : inconclusiveJudgement(why);
    }
  },
};
