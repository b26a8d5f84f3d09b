import type { Json } from '../../lib/json/json';
import { readablePath } from '../../lib/json/json-pointer';
import { nothingToCompareWith } from '../../loop/evaluation/aggregate';
import type { ComparisonEvaluator } from '../../loop/contract/evaluators';
import { type Judgement, SCORE_TYPE } from '../../loop/state/evaluation';
import { offload } from '../../lib/threads/offload';
import { scoresApart } from '../../lib/text/summary-text';
import { isLighterThan } from '../../lib/threads/weight';
import { makeJudgement } from '../judgement';
import type { EvaluationInput, EvaluatorKind } from '../types';
import { type Compared, differencesOf, similarityOf } from '../value-comparison';
import { COMPARISON_REPLY, comparisonPrompt, comparisonText } from './comparison-prompt';
import { readComparison } from './comparison-reply';
import { makeJudge } from './judge-call';

/** Characters and parts of what the event loop compares itself: some milliseconds. */
const SMALL = 30_000;

const comparing = {
  file: require.resolve('../value-comparison'),
  isSmall: ({ output, other }: Compared) => isLighterThan(SMALL, [output, other]),
  key: (compared: Compared) => JSON.stringify(compared),
};
const findDifferences = offload({ ...comparing, name: differencesOf.name, run: differencesOf });
const findSimilarity = offload({ ...comparing, name: similarityOf.name, run: similarityOf });

const judge = makeJudge<ComparisonEvaluator>({
  form: COMPARISON_REPLY,
  question: 'Which one does the task better: FIRST, SECOND or neither?',
  contract: (_config, { structured }) => comparisonText(structured),
  prompt: (config, input) => ({ messages: comparisonPrompt(otherOf(config, input)!, input), warnings: [] }),
  read: (text, asked, config, { candidate = 'first' }) =>
    readComparison(text, candidate, nameOfOther(config), config.name ?? config.type, asked),
});

/** A judge is asked about one order of the two; `loop/evaluation/aggregate.ts` puts both orders together. */
export const comparisonEvaluator: EvaluatorKind<ComparisonEvaluator> = {
  type: 'comparison',

  problems({ against, reference }) {
    if (against === 'reference' && reference === undefined)
      return [{ path: '/reference', message: 'is required: the output is compared with it' }];
    if (against === 'prior' && reference !== undefined)
      return [{ path: '/reference', message: 'is not used with `against: prior`; remove it' }];
    return [];
  },

  async evaluate(config, input, context) {
    context.signal.throwIfAborted();
    const other = otherOf(config, input);
    if (other === undefined) {
      const {
        name: _name,
        type: _type,
        ms: _ms,
        ...judgement
      } = nothingToCompareWith({ name: config.type, type: config.type });
      return judgement;
    }
    if (config.method === 'exact') return compareExactly(config, { output: input.output, other });
    return config.method === 'similarity'
      ? compareBySimilarity(config, input, other)
      : judge.evaluate(config, input, context);
  },

  repair: judge.repair,
};

function otherOf({ against, reference }: ComparisonEvaluator, { prior }: EvaluationInput): Json | undefined {
  return against === 'prior' ? prior : reference;
}

function nameOfOther({ against }: ComparisonEvaluator): string {
  return against === 'prior' ? 'the earlier version' : 'the reference';
}

const DIFFERENCES = {
  missing: 'is missing; it is in',
  unexpected: 'should not be there; it is not in',
  different: 'is not what it is in',
} as const;

async function compareExactly(config: ComparisonEvaluator, compared: Compared): Promise<Judgement> {
  const found = await findDifferences(compared);
  return makeJudgement(found.length === 0, {
    issues: found.map(({ path, kind }) => ({
      message: `${path === '' ? 'the output' : readablePath(path)}: ${DIFFERENCES[kind]} ${nameOfOther(config)}`,
      path,
      severity: 'major',
      evaluator: config.name ?? config.type,
    })),
  });
}

async function compareBySimilarity(
  config: ComparisonEvaluator,
  { output, qualityThreshold }: EvaluationInput,
  other: Json,
): Promise<Judgement> {
  const score = await findSimilarity({ output, other });
  if (score >= qualityThreshold) return makeJudgement(true, { score });
  const message = `the output is too different from ${nameOfOther(config)}: similarity ${scoresApart(score, qualityThreshold).join(', needed ')}`;
  const evaluator = config.name ?? config.type;
  return makeJudgement(false, {
    score,
    issues: [{ message, path: '', severity: 'major', type: SCORE_TYPE, evaluator }],
  });
}
