/**
 * How many of anything a spec may have. Each number is far beyond what people write, and small enough that a run at this
 * maximum ends with a result or a typed error: what runs side by side is also bounded together, by the run account.
 */

/** Characters of the name of anything: an evaluator, an action, a model, a tool, a command, a key of the state. */
export const NAME_CHARACTERS = 200;

/** Evaluators of a spec. */
export const MOST_EVALUATORS = 100;

/**
 * Calls that one round of an evaluation makes: evaluators × parts × votes × both orders, the second judge included. Each is
 * asked again and repaired at most once and makes six events, so an iteration has at most 12,000 of a history's 51,200.
 */
export const MOST_PARTS = 500;

/** Examples of one judge. */
export const MOST_EXAMPLES = 100;

/** Messages of a model call. */
export const MOST_MESSAGES = 1_000;

/** Tools of a model call; providers take 128. */
export const MOST_TOOLS = 128;

/** Tool calls of one reply that are carried out; the others are told that they are too many. */
export const MOST_TOOL_CALLS = 128;

/** Errors that a correction is given. */
export const MOST_ERRORS = 10_000;

/** Keys of the state that a spec lists as written by others. */
export const MOST_MATERIAL = 1_000;

/** Nodes of a pipeline: each leaves its events, and its share of the state, in the one history of the run. */
export const MAXIMUM_NODES = 100;

/** Tasks of a plan: each leaves its events in the one history of the run. */
export const MAXIMUM_TASKS = 100;

/** Plans after the first. */
export const MAXIMUM_REPLANS = 20;

/** Agents of a population. */
export const MOST_AGENTS = 5_000;

/** Lines between the nodes of a pipeline. */
export const MOST_EDGES = 1_000;

/** A number of iterations, steps or replies in a rule of a spec. */
export const MOST_COUNTED = 10_000;

/** Weight of an evaluator or a criterion. Sums of weights must stay numbers. */
export const HIGHEST_WEIGHT = 1_000_000;

/** Tokens of one reply. */
export const MOST_REPLY_TOKENS = 10_000_000;

/** Limits of a budget: what `extend` adds comes on top, up to whole numbers that are exact. */
export const MOST_TOKENS = 1_000_000_000_000;
export const MOST_USD = 1_000_000_000;
export const MOST_MODEL_CALLS = 1_000_000_000;

/** Milliseconds of any duration: ten years. What is much longer is no date any more. */
export const LONGEST_MS = 10 * 365 * 24 * 60 * 60 * 1_000;

/** Characters of what a regular expression says when it fails, of a criterion's description and of a critic. */
export const SENTENCE_CHARACTERS = 4_000;

/** Characters of a regular expression. Nobody writes longer ones by hand, and they take long to compile. */
export const PATTERN_CHARACTERS = 5_000;

/** Kinds of decisions that a population reflects upon. */
export const MOST_DECISION_TYPES = 1_000;

/** Bytes of the attachments of one call at most: what providers take of a request, less what base64 adds. */
export const MOST_ATTACHED_BYTES = 32 * 1024 * 1024;

/** Items of one page of a batch: the results of its runs stand in one history. */
export const MOST_PAGE_ITEMS = 100;

/** Pages of a batch. */
export const MOST_PAGES = 2_000;

/** Runs of a batch at once. */
export const MOST_CONCURRENT = 500;
