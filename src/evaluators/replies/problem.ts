export interface JudgeProblem {
  problem: string;
}

export function isProblem(value: unknown): value is JudgeProblem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}
