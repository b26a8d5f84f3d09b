/** Which of a queue's work a process serves: runs with their steps and checks, model calls, or both. */
export type Serve = 'loops' | 'models' | 'both';

const CHOICES: readonly Serve[] = ['loops', 'models', 'both'];

/**
 * What a text names; `both` without one.
 *
 * @throws TypeError for anything else
 */
export function serveFrom(text: string | undefined): Serve {
  const found = text ? CHOICES.find((choice) => choice === text) : 'both';
  if (found === undefined) throw new TypeError(`there is no "${text}" to serve; there are ${CHOICES.join(', ')}`);
  return found;
}
