import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { Random } from '../../scripts/torture/random';
import type { ReflectionClient } from '../../src/client';
import { type CommandName, COMMAND_NAMES } from '../../src/domain/command-payloads';
import { CommandRefusedError } from '../../src/domain/errors';
import type { Json, JsonObject } from '../../src/domain/json';
import type { ReflectionResult } from '../../src/domain/result';
import type { ReflectionSpec } from '../../src/domain/spec';

export interface SentCommand {
  name: CommandName;
  payload: JsonObject;
}

function command(random: Random, index: number): SentCommand {
  const name = random.pick(COMMAND_NAMES.filter((each) => each !== 'abort' || random.next() < 0.3));
  const stale: JsonObject = random.next() < 0.3 ? { iteration: random.between(1, 4) } : {};
  const common: JsonObject = { id: `${index}`, ...(name === 'abort' ? {} : stale) };
  if (name === 'guide') return { name, payload: { ...common, text: `text ${index}` } };
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

/** The loop that a sequence is sent to. Its worker has the action `hears`. */
function specOf(random: Random): ReflectionSpec {
  const when = random.pick(['never', 'on_exhausted', 'on_satisfactory', 'every_iteration'] as const);
  return {
    generator: { action: 'hears' },
    evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
    maxIterations: random.between(1, 3),
    review: { when, timeout: '1m' },
  };
}

/** What the rest of a sequence said: acknowledged ids of updates, and those that were refused. */
interface Answers {
  acknowledged: Set<string>;
  lateAcknowledged: string[];
}

/** What is wrong with the end of a run, by what was acknowledged; nothing is the hope. */
function violations({ history }: ReflectionResult, sequence: readonly SentCommand[], answers: Answers): string[] {
  const found: string[] = answers.lateAcknowledged.map((id) => `${id} was acknowledged after the end`);
  const idOf = (payload: Json): string => String((payload as JsonObject)['id']);
  const entries = new Map(history.people.map((entry) => [idOf(entry.payload), entry]));
  if (entries.size !== history.people.length) found.push('an id stands in the record twice');
  const tooLate = (why: string | undefined): boolean => why?.startsWith('the run ended before') ?? false;
  for (const id of answers.acknowledged) {
    const entry = entries.get(id);
    if (!entry || (!entry.applied && !tooLate(entry.why))) found.push(`${id} was acknowledged, and is not applied`);
  }
  const applied = (name: CommandName): JsonObject[] =>
    sequence
      .filter(
        (sent, index) =>
          sent.name === name &&
          entries.get(idOf(sent.payload))?.applied &&
          sequence.findIndex(({ payload }) => payload['id'] === sent.payload['id']) === index,
      )
      .map(({ payload }) => payload);
  const outputs = history.versions.filter(({ origin }) => origin === 'override').map(({ output }) => output as string);
  const same = (one: unknown[], other: unknown[]): boolean =>
    JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
  if (
    !same(
      outputs,
      applied('override').map(({ output }) => output),
    )
  )
    found.push(`overrides: ${outputs.join()}`);
  const heard = history.versions.flatMap(
    ({ output }) => ((output as JsonObject)['heard'] as string | null)?.split('\n\n') ?? [],
  );
  const replaced = history.people.some(
    ({ name, applied: done }) => done && (name === 'override' || name === 'reflect'),
  );
  const guides = applied('guide').map(({ text }) => text);
  // A revision that was told, and given up for an override, tells the next one again; it is in one version at most.
  if (replaced ? new Set(heard).size !== heard.length : !same(heard, guides)) found.push(`guides: ${heard.join()}`);
  return found;
}

/** Sends a sequence to a loop of its own, in part after its end, and says what went wrong. */
export async function playOnServer(client: ReflectionClient, seed: number): Promise<string[]> {
  const random = new Random(seed);
  const sequence = commandSequence(random);
  const { workflowId } = await client.start(specOf(random));
  const handle = client.temporal.workflow.getHandle(workflowId);
  const answers: Answers = { acknowledged: new Set(), lateAcknowledged: [] };
  const update = async ({ name, payload }: SentCommand, late = false, attempts = 60): Promise<void> => {
    const send = client[name].bind(client) as (id: string, payload: JsonObject) => Promise<unknown>;
    try {
      await send(workflowId, payload);
      if (late) answers.lateAcknowledged.push(String(payload['id']));
      else answers.acknowledged.add(String(payload['id']));
    } catch (error) {
      if (error instanceof CommandRefusedError) return;
      // It came while the run was ending: the server took it for nothing, and it is sent again, with its id.
      if (!isGrpcServiceError(error) || attempts === 0) throw error;
      await sleep(250);
      await update({ name, payload }, late, attempts - 1);
    }
  };
  const sent = new Set<string>();
  const early = sequence.slice(0, random.between(0, sequence.length));
  for (const each of early) {
    const id = String(each.payload['id']);
    // The answer to a repeated id says nothing of the first.
    if (sent.has(id) || random.next() < 0.5) await handle.signal(each.name, each.payload).catch(() => undefined);
    else await update(each);
    sent.add(id);
  }
  await client.abort(workflowId, { id: 'end' }).catch(() => undefined);
  const result = await client.result(workflowId);
  for (const each of sequence.slice(early.length)) await update(each, true);
  return violations(result, early, answers).map((violation) => `sequence ${seed} (${workflowId}): ${violation}`);
}
