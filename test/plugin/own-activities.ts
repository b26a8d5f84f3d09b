import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';

/** Activities that somebody's worker had before reflection loops came to it. */
export async function lookUp(word: string): Promise<string> {
  return `${word.toUpperCase()}!`;
}

/** Beats as often as it can for so long, as activities do that leave it to the SDK how many heartbeats leave. */
export async function beats(ms: number): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(20)) heartbeat();
}

/** Of a name that activities of reflection loops have, too, without their prefix. */
export async function generate(name: string): Promise<string> {
  return `Hello ${name}`;
}
