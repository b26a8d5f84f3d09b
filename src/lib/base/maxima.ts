/** The largest numbers that loops, other kinds of runs and libraries share. */

/** Characters of the name of anything: an evaluator, an action, a model, a tool, a command, a key of the state. */
export const NAME_CHARACTERS = 200;

/** Keys of the state that a spec lists as written by others. */
export const MOST_MATERIAL = 1_000;

/** Limits of a budget: what `extend` adds comes on top, up to whole numbers that are exact. */
export const MOST_TOKENS = 1_000_000_000_000;

/** The maximum of any duration, in milliseconds: ten years. Much longer ones would lead to invalid dates. */
export const LONGEST_MS = 10 * 365 * 24 * 60 * 60 * 1_000;

/** Characters of what a regular expression says when it fails, of a criterion's description and of a critic. */
export const SENTENCE_CHARACTERS = 4_000;

/** Characters of a regular expression. Longer ones are not written by hand, and take long to compile. */
export const PATTERN_CHARACTERS = 5_000;

/** The maximum size of the attachments of one call in bytes: what providers accept in a request, less what base64 adds. */
export const MOST_ATTACHED_BYTES = 32 * 1024 * 1024;
