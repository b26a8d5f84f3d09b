import { nothingToCompareWith } from '../../domain/evaluation/aggregate';
import { isJudge } from '../../domain/spec/evaluator-parts';
import type { Json } from '../../domain/base/json';
import { SCORE_TYPE } from '../../domain/state/issues';
import { readablePath } from '../../domain/base/json-pointer';
import type { ComparisonEvaluator } from '../../domain/spec/spec';
import { offloaded } from '../../threads/offload';
import { isLighterThan } from '../../threads/weight';
import { COMPARISON_REPLY, comparisonPrompt, comparisonText } from './comparison-prompt';
import { readComparison } from './comparison-reply';
import { askForRepair, askJudge, type JudgeCall } from './judge-call';
import { repairPrompt } from './judge-prompt';
import type { EvaluationInput, EvaluatorKind } from '../types';
import { type Compared, differencesOf, similarityOf } from '../value-comparison';
import type { Judgement } from '../../domain/state/evaluation';

/** Characters and parts of what the event loop compares itself: some milliseconds. */
const SMALL = 30_000;

const file = require.resolve('../value-comparison');
const isSmall = (compared: Compared): boolean => isLighterThan(SMALL, [compared.output, compared.other]);
const key = (compared: Compared): string => JSON.stringify(compared);

const findDifferences = offloaded({ file, name: differencesOf.name, run: differencesOf, isSmall, key });
const findSimilarity = offloaded({ file, name: similarityOf.name, run: similarityOf, isSmall, key });

/**
 * Judges an output beside a reference, or beside the version before it. A judge is asked about one order of the two; that
 * there are two, and what they amount to together, is for the loop (`domain/evaluation/aggregate.ts`).
 */
export const comparisonEvaluator: EvaluatorKind<ComparisonEvaluator> = {
  type: 'comparison',
  local: (config) => !isJudge(config),

  problems({ against, reference }) {
    if (against === 'reference' && reference === undefined)
      return [{ path: '/reference', message: 'is required: the output is compared with it' }];
    if (against === 'prior' && reference !== undefined)
      return [{ path: '/reference', message: 'is not used with `against: prior`; remove it' }];
    return [];
  },

  async evaluate(config, input, context) {
    context.signal.throwIfAborted();
    const other = config.against === 'prior' ? input.prior : config.reference;
    const name = config.name ?? config.type;
    if (other === undefined) return withoutWhole(nothingToCompareWith({ name, type: config.type }));
    if (config.method === 'exact') return exactly({ output: input.output, other }, nameOf(config), name);
    if (config.method === 'similarity') return bySimilarity(input, other, nameOf(config), name);
    return askJudge(callOf(config, input, comparisonPrompt(other, input)), input, context);
  },

  async repair(config, input, reply, context) {
    return askForRepair(callOf(config, input, repairPrompt(reply, comparisonText(input.structured))), input, context);
  },
};

function withoutWhole({ name: _name, type: _type, ms: _ms, ...judgement }: ReturnType<typeof nothingToCompareWith>) {
  return judgement;
}

function nameOf({ against }: ComparisonEvaluator): string {
  return against === 'prior' ? 'the earlier version' : 'the reference';
}

function callOf(config: ComparisonEvaluator, input: EvaluationInput, messages: JudgeCall['messages']): JudgeCall {
  return {
    messages,
    reply: COMPARISON_REPLY,
    read: (text, asked) =>
      readComparison(text, input.candidate ?? 'first', nameOf(config), config.name ?? config.type, asked),
  };
}

async function exactly(compared: Compared, otherName: string, evaluator: string): Promise<Judgement> {
  const found = await findDifferences(compared);
  const isSame = found.length === 0;
  return {
    outcome: isSame ? 'pass' : 'fail',
    score: isSame ? 1 : 0,
    issues: found.map(({ path, kind }) => ({
      message: `${path === '' ? 'the output' : readablePath(path)}: ${TOLD[kind]} ${otherName}`,
      path,
      severity: 'major',
      evaluator,
    })),
    suggestions: [],
    confidence: 1,
  };
}

const TOLD = {
  missing: 'is missing; it is in',
  unexpected: 'should not be there; it is not in',
  different: 'is not what it is in',
} as const;

async function bySimilarity(
  { output, qualityThreshold }: EvaluationInput,
  other: Json,
  otherName: string,
  evaluator: string,
) {
  const similarity = await findSimilarity({ output, other });
  const isPass = similarity >= qualityThreshold;
  const message = `the output is too different from ${otherName}: similarity ${similarity.toFixed(2)}, needed ${qualityThreshold.toFixed(2)}`;
  const judgement: Judgement = {
    outcome: isPass ? 'pass' : 'fail',
    score: similarity,
    issues: isPass ? [] : [{ message, path: '', severity: 'major', type: SCORE_TYPE, evaluator }],
    suggestions: [],
    confidence: 1,
  };
  return judgement;
}
