/**
 * The largest numbers of anything in a spec. Each is far beyond those of usual specs, and small enough that a run at this
 * maximum ends with a result or a typed error: calls that run side by side are also limited together, by the run account.
 */

export const MOST_EVALUATORS = 100;

/**
 * Calls that one round of an evaluation makes: evaluators × parts × votes × both orders × rounds with tools, the second judge included. Each is
 * asked again and repaired at most once and makes six events, so an iteration has at most 12,000 of a history's 51,200.
 */
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

/** Characters of the answer to a question that a spec has for want of one. */
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
