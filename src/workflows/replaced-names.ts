/** The workflow types of ours whose names the owner of the bundle exports, too. The owner's run, without our interceptors. */
export const replacedNames = new Set<string>();
