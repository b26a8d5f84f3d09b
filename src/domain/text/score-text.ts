/** A score as people read it. */
export function scoreText(score: number | null): string {
  return score === null ? '–' : score.toFixed(2);
}
