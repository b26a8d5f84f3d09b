interface CategoryRule {
  /** One of these in the error's text makes it so, whatever the case of its letters. */
  words: readonly string[];
  suggestion: string;
  /** Whether going about it in another way could help. */
  replan: boolean;
}

/** In the order in which they are tried: the first that fits is it. */
const RULES = {
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
  execution: {
    words: [],
    suggestion: 'Look at how the tool is implemented.',
    replan: false,
  },
} as const satisfies Record<string, CategoryRule>;

/** Kinds of errors of tasks; `execution` is every other. */
export type ErrorCategory = keyof typeof RULES;

/** The kind of an error, by words in its text. */
export function errorCategory(error: string | null | undefined): ErrorCategory {
  const text = (error ?? '').toLowerCase();
  const kinds = Object.keys(RULES) as ErrorCategory[];
  return kinds.find((kind) => RULES[kind].words.some((word) => text.includes(word))) ?? 'execution';
}

/** What usually helps against errors of a kind. */
export function suggestionFor(category: ErrorCategory): string {
  return RULES[category].suggestion;
}

/** Whether another plan could get around errors of a kind. */
export function callsForReplan(category: ErrorCategory): boolean {
  return RULES[category].replan;
}
