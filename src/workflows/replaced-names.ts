/** Workflow types of ours that the owner of the bundle exports, too: theirs run, and are none of our business. */
export const replacedNames = new Set<string>();
