/** The maxima are far beyond usual specs, and small enough that a run at them ends with a result or a typed error. */

export const MOST_EVALUATORS = 100;

/** Evaluators × parts × votes × orders × rounds. Each is asked again and repaired once at most, six events a call: 12,000. */
export const MOST_PARTS = 500;

export const MOST_CRITERIA = 50;

export const MOST_CALL_RULES = 100;

export const MOST_EXAMPLES = 100;

export const MOST_MESSAGES = 1_000;

/** Tools of a model call; providers take 128. */
export const MOST_TOOLS = 128;

/** Tool calls of one reply that are carried out; each further call is answered with the message that there are too many. */
export const MOST_TOOL_CALLS = 128;

export const MOST_QUESTIONS = 3;

export const DEFAULT_ANSWER_CHARACTERS = 4_000;

export const MOST_ERRORS = 10_000;

export const MOST_CALLS_OF_JUDGE = 16;

/** The maximum number of iterations, steps or replies in a setting of a spec. */
export const MOST_COUNTED = 10_000;

/** Weight of an evaluator or a criterion. Sums of weights must stay numbers. */
export const HIGHEST_WEIGHT = 1_000_000;

export const MOST_REPLY_TOKENS = 10_000_000;

export const MOST_USD = 1_000_000_000;

export const MOST_MODEL_CALLS = 1_000_000_000;
