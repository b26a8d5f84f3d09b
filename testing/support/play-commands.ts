import { WorkflowNotFoundError } from '@temporalio/client';
import { Random } from '../torture/random';
import type { ReflectionClient } from '../../src/client';
import { CommandRefusedError } from '../../src/loop/errors/errors';
import type { JsonObject } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { type Answers, violations } from './command-violations';
import { commandSequence, type SentCommand } from './command-sequences';

/** The loop that a sequence is sent to. Its worker has the action `hears`. */
function specOf(random: Random): ReflectionSpec & { maxIterations: number } {
  const when = random.pick(['never', 'on_exhausted', 'on_satisfactory', 'every_iteration'] as const);
  return {
    generator: { action: 'hears' },
    evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
    maxIterations: random.between(1, 3),
    review: { when, timeout: '1m' },
  };
}

/** What became of the commands of a sequence, and what of that must not be. */
export interface Played extends Pick<Answers, 'acknowledged' | 'refused' | 'signalled'> {
  /** Sent after the end. */
  late: number;
  violations: string[];
}

/** Sends one run what people send it, and keeps what was answered. */
class Sender {
  readonly answers: Answers = { acknowledged: [], refused: [], signalled: [] };

  constructor(
    private readonly client: ReflectionClient,
    readonly workflowId: string,
  ) {}

  async update({ name, payload }: SentCommand): Promise<void> {
    const send = this.client[name].bind(this.client) as (id: string, payload: JsonObject) => Promise<unknown>;
    try {
      await send(this.workflowId, payload);
      this.answers.acknowledged.push(String(payload['id']));
    } catch (error) {
      if (!(error instanceof CommandRefusedError)) throw error;
      this.answers.refused.push({ id: String(payload['id']), why: error.message });
    }
  }

  async signal({ name, payload }: SentCommand): Promise<void> {
    try {
      await this.client.temporal.workflow.getHandle(this.workflowId).signal(name, payload);
      this.answers.signalled.push(String(payload['id']));
    } catch (error) {
      // What the server says to a signal for a run that has ended.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/**
 * Sends a sequence to a loop of its own, some of it side by side and some after the end, and says what became of it. The
 * same seed sends the same; when it arrives, the machine decides.
 */
export async function playOnServer(client: ReflectionClient, seed: number): Promise<Played> {
  const random = new Random(seed);
  const sequence = commandSequence(random);
  const spec = specOf(random);
  const { workflowId } = await client.start(spec);
  const handle = client.temporal.workflow.getHandle(workflowId);
  const inTime = new Sender(client, workflowId);
  const early = sequence.slice(0, random.between(0, sequence.length));
  for (let from = 0; from < early.length;) {
    const to = from + random.between(1, 3);
    const batch = early
      .slice(from, to)
      .map((command) => ({ command, way: random.pick(['signal', 'update'] as const) }));
    await Promise.all(batch.map(async ({ command, way }) => inTime[way](command)));
    from = to;
  }
  await inTime.update({ name: 'abort', payload: { id: 'end', by: 'the end' } });
  const result = await client.result(workflowId);
  const ended = await handle.describe();

  const afterwards = new Sender(client, workflowId);
  const late = sequence.slice(early.length);
  for (const command of late) await afterwards[random.pick(['signal', 'update'] as const)](command);
  const { maxIterations } = await client.progress(workflowId);
  const later = await handle.describe();

  const found = violations({
    result,
    sequence: early,
    answers: inTime.answers,
    firstLimit: spec.maxIterations,
    maxIterations,
  });
  // The server answers what it answered before.
  const news = afterwards.answers.acknowledged.filter((id) => !inTime.answers.acknowledged.includes(id));
  const taken = [...news, ...afterwards.answers.signalled];
  if (taken.length > 0) found.push(`after the end: ${taken.join()} taken`);
  const odd = afterwards.answers.refused.find(({ why }) => why !== 'the run has ended');
  if (odd) found.push(`after the end: ${odd.id} refused because ${odd.why}`);
  if (later.runId !== ended.runId || later.historyLength !== ended.historyLength)
    found.push('the run went on after its end');
  return {
    ...inTime.answers,
    late: late.length,
    violations: found.map((violation) => `sequence ${seed} (${workflowId}): ${violation}`),
  };
}
