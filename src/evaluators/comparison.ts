import { nothingToCompareWith } from '../domain/both-orders';
import { isJudge } from '../domain/evaluator-parts';
import type { Json } from '../domain/json';
import { differences } from '../domain/json-difference';
import { SCORE_TYPE } from '../domain/issues';
import { readablePath } from '../domain/json-pointer';
import { comparableText, textSimilarity } from '../domain/similarity';
import type { ComparisonEvaluator } from '../domain/spec';
import { COMPARISON_REPLY, comparisonPrompt, comparisonText } from './comparison-prompt';
import { readComparison } from './comparison-reply';
import { askForRepair, askJudge, type JudgeCall } from './judge-call';
import { repairPrompt } from './judge-prompt';
import type { EvaluationInput, EvaluatorKind, Judgement } from './types';

const MAX_DIFFERENCES = 20;

/**
 * Judges an output beside a reference, or beside the version before it. A judge is asked about one order of the two; that
 * there are two, and what they amount to together, is for the loop (`domain/both-orders.ts`).
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
    if (config.method === 'exact') return exactly(input.output, other, nameOf(config), name);
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
    read: (text) => readComparison(text, input.candidate ?? 'first', nameOf(config), config.name ?? config.type),
  };
}

/** A text that is JSON as a whole is compared as what it says, when that is what it is compared with. */
function asComparable(output: Json, other: Json): Json {
  if (typeof output !== 'string' || typeof other === 'string') return output;
  try {
    return JSON.parse(output) as Json;
  } catch {
    return output;
  }
}

function exactly(output: Json, other: Json, otherName: string, evaluator: string): Judgement {
  const found = differences(asComparable(output, other), other, MAX_DIFFERENCES);
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

function bySimilarity(
  { output, qualityThreshold }: EvaluationInput,
  other: Json,
  otherName: string,
  evaluator: string,
) {
  const similarity = textSimilarity(comparableText(asComparable(output, other)), comparableText(other));
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
