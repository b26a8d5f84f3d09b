const MAX_NOTHING = 100;
/** The fillers of an empty list. */
const NOTHING =
  /^[^\p{L}\d]*(?:none|nothing|null|nil|unknown|n\/?a|no (?:(?:further|other|major|critical|significant|obvious) )?(?:issues?|problems?|errors?|faults?|suggestions?|improvements?)(?: (?:were )?(?:found|detected|identified|noted|needed))?)?[^\p{L}\d]*$/iu;

/** Returns whether a text of a list says anything. */
export function isSaid(text: string): boolean {
  return text.length > MAX_NOTHING || !NOTHING.test(text);
}
