interface CategoryRule {
  /** Words of which one in the error's text decides for the kind, in upper or lower case. */
  words: readonly string[];
  /** An HTTP status that decides for the kind, if no words of any kind do: a number may mean anything. */
  status?: number;
  suggestion: string;
  replan: boolean;
}

/** The rules in the order in which they are tried: the first that fits decides. */
const RULES = {
  timeout: {
    words: ['timeout', 'timed out', 'etimedout'],
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
    status: 404,
    suggestion: 'Make sure that a path exists before something relies on it.',
    replan: true,
  },
  network: {
    words: ['connection', 'network', 'econnrefused', 'econnreset', 'enotfound', 'eai_again', 'fetch failed'],
    suggestion: 'See whether the network reaches the service.',
    replan: true,
  },
  validation: {
    words: ['validation', 'invalid'],
    suggestion: 'Correct the values that the tool is given.',
    replan: false,
  },
  resource: {
    words: ['memory', 'disk', 'resource', 'too many requests', 'rate limit'],
    status: 429,
    suggestion: 'Make the task smaller, or free resources for it.',
    replan: true,
  },
  execution: {
    words: [] as string[],
    suggestion: 'Look at how the tool is implemented.',
    replan: false,
  },
} as const satisfies Record<string, CategoryRule>;

/** The kinds of errors of tasks; `execution` is every other. */
type ErrorCategory = keyof typeof RULES;

/** The errors that another plan would meet again, by the beginning of the message and whatever follows. */
const MET_AGAIN: readonly { begins: RegExp; category: ErrorCategory }[] = [
  // A problem of the spec, or of something that it relies on: its author has to correct it.
  {
    begins:
      /^(?:Invalid(?:Spec|Config|Hook|Function)|Unknown(?:Action|Model|Workflow)|Attachment(?:Invalid|Missing)|Model\.(?:BadRequest|NotFound)):/,
    category: 'validation',
  },
  // A refusal of the endpoint to this worker.
  { begins: /^Model\.(?:Unauthorized|QuotaExhausted):/, category: 'permission' },
  // A decision of a person.
  {
    begins: /^its loop (?:ended as (?:aborted|stopped)|was (?:cancelled|terminated))\b/,
    category: 'execution',
  },
];

export function errorCategory(error: string | null | undefined): ErrorCategory {
  const text = error ?? '';
  const metAgain = MET_AGAIN.find(({ begins }) => begins.test(text));
  if (metAgain) return metAgain.category;
  const said = text.toLowerCase();
  const kinds = Object.keys(RULES) as ErrorCategory[];
  const [found] = [
    ...kinds.filter((kind) => RULES[kind].words.some((word) => said.includes(word))),
    ...kinds.filter((kind) => hasStatus(said, RULES[kind])),
  ];
  return found ?? 'execution';
}

function hasStatus(text: string, { status }: CategoryRule): boolean {
  return status !== undefined && new RegExp(`\\b${status}\\b`).test(text);
}

export function suggestionFor(category: ErrorCategory): string {
  return RULES[category].suggestion;
}

/** Whether another plan could get around an error; `perhaps` for an error of unknown kind. */
export function callsForReplan(error: string | null | undefined): 'yes' | 'perhaps' | 'no' {
  const category = errorCategory(error);
  if (RULES[category].replan) return 'yes';
  const isKnown = category !== 'execution' || MET_AGAIN.some(({ begins }) => begins.test(error ?? ''));
  return isKnown ? 'no' : 'perhaps';
}
