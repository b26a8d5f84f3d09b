import type { JudgeSetName } from '../contract/evaluators';
import type { KnownCriterion } from './criteria-sets';
import sets from './judge-sets.json';

interface SetCriterion extends KnownCriterion {
  /** Relative to the other criteria of the set. Default 1. */
  weight?: number;
  /** The score that it needs, 0 to 1. Default 0.7. With 1, one answer of no fails the output. */
  threshold?: number;
}

/** A set that was released is never changed: a better one gets the next version, so that scores stay comparable. */
interface JudgeSet {
  title: string;
  sources: readonly string[];
  criteria: Readonly<Record<string, SetCriterion>>;
}

/** The built-in sets, by the name and version that a spec gives. A test checks the shape of the file. */
export const JUDGE_SETS: Record<JudgeSetName, JudgeSet> = sets;
