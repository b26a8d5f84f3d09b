/** Lists of choices that both code and the contract use. Choices that no code reads as a list are in the contract. */

export const TASK_TYPES = ['code', 'writing', 'analysis', 'reasoning'] as const;

/** Names and versions of the built-in sets of criteria: `loop/spec/judge-sets.json`. */
export const JUDGE_SET_NAMES = [
  'faithfulness@1',
  'instruction-following@1',
  'code-review@1',
  'summary@1',
  'translation@1',
  'tone@1',
] as const;

/** The kinds of what only a person can remove, so that no revision repairs an issue. */
export const BLOCKERS = ['information', 'decision', 'permission', 'external', 'contradiction'] as const;

export const REPAIR_METHODS = ['targeted_edit', 'incremental', 'full_rewrite'] as const;

export const REVISION_METHODS = [...REPAIR_METHODS, 'resample'] as const;
