import type { Random } from '../torture/random';
import { type CommandName, COMMAND_NAMES } from '../../src/loop/base/command-payloads';
import type { JsonObject } from '../../src/lib/json/json';

export interface SentCommand {
  name: CommandName;
  payload: JsonObject;
}

function command(random: Random, index: number): SentCommand {
  const name = random.pick(COMMAND_NAMES.filter((each) => each !== 'abort' || random.next() < 0.3));
  const stale: JsonObject = random.next() < 0.3 ? { iteration: random.between(1, 4) } : {};
  const common: JsonObject = { id: `${index}`, by: `person ${index}`, ...(name === 'abort' ? {} : stale) };
  if (name === 'guide') return { name, payload: { ...common, text: `text ${index}` } };
  if (name === 'answer') return { name, payload: { ...common, to: 'question-1', text: `answer ${index}` } };
  if (name === 'override') return { name, payload: { ...common, output: `override ${index}` } };
  if (name === 'extend') return { name, payload: { ...common, iterations: random.between(1, 2) } };
  if (name !== 'decide') return { name, payload: common };
  const decision = random.pick(['auto', 'continue', 'stop'] as const);
  return { name, payload: { ...common, iteration: random.between(1, 4), decision } };
}

/** Commands in the order in which they arrive: some twice, some of those much later, none in the order of their ids. */
export function commandSequence(random: Random): SentCommand[] {
  const sent = Array.from({ length: random.between(1, 12) }, (_, index) => command(random, index));
  return random.shuffled([...sent, ...sent.filter(() => random.next() < 0.4)]);
}
