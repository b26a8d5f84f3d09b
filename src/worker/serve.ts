/** Which task queues a process polls: runs with their steps and checks, model calls, or both. */
export type Serve = 'loops' | 'models' | 'both';

const CHOICES: readonly Serve[] = ['loops', 'models', 'both'];

/** Parses the value of `serve`; `both` if there is none. Throws TypeError for anything else. */
export function serveFrom(text: string | undefined): Serve {
  const found = text ? CHOICES.find((choice) => choice === text) : 'both';
  if (found === undefined) throw new TypeError(`there is no "${text}" to serve; there are ${CHOICES.join(', ')}`);
  return found;
}
