import type { Issue } from '../state/evaluation';

/**
 * Whether a judgement that carries a score and no verdict is a pass. A judge that calls something a major or critical fault
 * has said that the output is not good enough, however high the number that it puts beside it.
 */
export function passesByScore(score: number, issues: readonly Pick<Issue, 'severity'>[], threshold: number): boolean {
  return score >= threshold && !issues.some(({ severity }) => severity === 'major' || severity === 'critical');
}
