/** Kinds of errors of tasks. */
export const ERROR_CATEGORIES = [
  'timeout',
  'permission',
  'not_found',
  'network',
  'validation',
  'resource',
  'execution',
] as const;
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

interface CategoryRule {
  /** One of these in the error's text makes it so, whatever the case of its letters. */
  words: readonly string[];
  suggestion: string;
  /** Whether going about it in another way could help. */
  replan: boolean;
}

/** In the order in which they are tried: the first that fits is it. */
const RULES: Record<Exclude<ErrorCategory, 'execution'>, CategoryRule> = {
  timeout: {
    words: ['timeout'],
    suggestion: 'Give the task more time, or split it into smaller ones.',
    replan: true,
  },
  permission: {
    words: ['permission', 'access denied'],
    suggestion: 'See in the configuration whether the task has the permissions that it needs.',
    replan: false,
  },
  not_found: {
    words: ['not found', 'no such file'],
    suggestion: 'Make sure that a path exists before something relies on it.',
    replan: true,
  },
  network: {
    words: ['connection', 'network'],
    suggestion: 'See whether the network reaches the service.',
    replan: true,
  },
  validation: {
    words: ['validation', 'invalid'],
    suggestion: 'Correct the values that the tool is given.',
    replan: false,
  },
  resource: {
    words: ['memory', 'disk', 'resource'],
    suggestion: 'Make the task smaller, or free resources for it.',
    replan: true,
  },
};

const OTHER: Omit<CategoryRule, 'words'> = {
  suggestion: 'Look at how the tool is implemented.',
  replan: false,
};

/** The kind of an error, by words in its text. */
export function errorCategory(error: string | undefined): ErrorCategory {
  const text = (error ?? '').toLowerCase();
  const found = Object.entries(RULES).find(([, { words }]) => words.some((word) => text.includes(word)));
  return (found?.[0] as ErrorCategory | undefined) ?? 'execution';
}

/** What usually helps against errors of a kind. */
export function suggestionFor(category: ErrorCategory): string {
  return (category === 'execution' ? OTHER : RULES[category]).suggestion;
}

/** Whether another plan could get around errors of a kind. */
export function callsForReplan(category: ErrorCategory): boolean {
  return (category === 'execution' ? OTHER : RULES[category]).replan;
}
