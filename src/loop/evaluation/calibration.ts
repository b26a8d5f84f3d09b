import { deviation, mean } from './scores';
import type { ReflectionEvaluation, UnreadReply } from '../contract/evaluation';

/** The opinion of a person about an output: its score, 0..1, or only whether it is good enough; null if there is no opinion. */
export type Label = number | boolean | null;

/** The judgements of a judge on one output, several times. Numbers are null if too few judgements have a score. */
export interface OutputCalibration {
  /** From 1, in the order of the file. */
  output: number;
  scores: (number | null)[];
  passes: number;
  fails: number;
  inconclusive: number;
  repaired: number;
  unreadReplies: UnreadReply[];
  mean: number | null;
  /** Between the highest and the lowest score. */
  spread: number | null;
  /** Standard deviation of the scores. */
  deviation: number | null;
  /** Share of the pairs of judgements whose scores differ by 0.1 at most. */
  agreement: number | null;
  label?: Label;
  /** Mean score minus label; above 0 for a judge that is too kind. Null without a label that is a score. */
  bias: number | null;
  /** Share of the judgements with an outcome that say what the label says; null without a label that is a verdict. */
  right: number | null;
}

/** The calibration of a judge over all outputs: means of outputs, each counting the same. */
export interface Calibration {
  outputs: OutputCalibration[];
  judgements: number;
  inconclusive: number;
  repaired: number;
  spread: number | null;
  agreement: number | null;
  bias: number | null;
  /** Mean distance between mean score and label, in either direction. */
  error: number | null;
  right: number | null;
  /** Judgements that passed an output with the label false, of those that decided about one. */
  falsePasses: Count;
  /** Judgements that failed an output with the label true, of those that decided about one. */
  falseFails: Count;
}

interface Count {
  count: number;
  of: number;
}

/** Scores of the same output that differ by no more count as the same. */
const SAME = 0.1;
/** Decimal fractions do not subtract exactly. */
const TOLERANCE = 1e-9;

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}

function agreementOf(scores: readonly number[]): number | null {
  const pairs = scores.flatMap((one, index) =>
    scores.slice(index + 1).map((other) => Number(Math.abs(one - other) <= SAME + TOLERANCE)),
  );
  return meanOf(pairs);
}

function ofOutput(
  output: number,
  evaluations: readonly ReflectionEvaluation[],
  label: Label | undefined,
): OutputCalibration {
  const scores = evaluations.map(({ overallScore }) => overallScore);
  const known = scores.filter((score) => score !== null);
  const count = (outcome: ReflectionEvaluation['outcome']): number =>
    evaluations.filter((evaluation) => evaluation.outcome === outcome).length;
  const [passes, fails] = [count('pass'), count('fail')];
  const average = meanOf(known);
  const decided = passes + fails;
  const unread = evaluations.flatMap(({ unreadReplies = [] }) => unreadReplies);
  return {
    output,
    scores,
    passes,
    fails,
    inconclusive: count('inconclusive'),
    repaired: unread.filter(({ repaired }) => repaired).length,
    unreadReplies: unread,
    mean: average,
    spread: known.length === 0 ? null : Math.max(...known) - Math.min(...known),
    deviation: known.length === 0 ? null : deviation(known),
    agreement: agreementOf(known),
    ...(label === undefined ? {} : { label }),
    bias: typeof label === 'number' && average !== null ? average - label : null,
    right: typeof label === 'boolean' && decided > 0 ? (label ? passes : fails) / decided : null,
  };
}

function countWrong(outputs: readonly OutputCalibration[], label: boolean): Count {
  const labelled = outputs.filter((output) => output.label === label);
  const sum = (value: (output: OutputCalibration) => number): number =>
    labelled.reduce((total, output) => total + value(output), 0);
  return {
    count: sum(({ passes, fails }) => (label ? fails : passes)),
    of: sum(({ passes, fails }) => passes + fails),
  };
}

/** @param labels one for each output, or none */
export function calibrationOf(
  evaluations: readonly (readonly ReflectionEvaluation[])[],
  labels: readonly Label[] = [],
): Calibration {
  const outputs = evaluations.map((each, index) => ofOutput(index + 1, each, labels[index]));
  const overall = (value: (output: OutputCalibration) => number | null): number | null => meanOf(outputs.map(value));
  return {
    outputs,
    judgements: evaluations.flat().length,
    inconclusive: outputs.reduce((sum, { inconclusive }) => sum + inconclusive, 0),
    repaired: outputs.reduce((sum, { repaired }) => sum + repaired, 0),
    spread: overall(({ spread }) => spread),
    agreement: overall(({ agreement }) => agreement),
    bias: overall(({ bias }) => bias),
    error: overall(({ bias }) => (bias === null ? null : Math.abs(bias))),
    right: overall(({ right }) => right),
    falsePasses: countWrong(outputs, false),
    falseFails: countWrong(outputs, true),
  };
}
