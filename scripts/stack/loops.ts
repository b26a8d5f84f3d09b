import type { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { run } from './engine';
import type { StackModel } from './model';

const MODELS = 'reflection-models';

/** A loop of so many rounds, each with a call of the model and a large draft. */
export function loopSpec(label: string, rounds: number): ReflectionSpec {
  return {
    name: 'stack',
    generator: { action: 'llm.call', prompt: `LOOP ${label} ROUND {{ state.reflection_iteration }}` },
    evaluator: { type: 'schema', schema: { properties: { round: { minimum: rounds } }, required: ['round'] } },
    maxIterations: rounds,
    convergence: false,
  };
}

/** Loops under way, and what has to hold once they end. */
export class Loops {
  readonly #client: ReflectionClient;
  readonly #model: StackModel;
  readonly #cli: string;
  readonly #rounds = new Map<string, number>();
  /** Calls of the model that are in no history as often as they were made: none may be. */
  attempts = 0;
  requests = 0;

  constructor(client: ReflectionClient, model: StackModel, cli: string) {
    this.#client = client;
    this.#model = model;
    this.#cli = cli;
  }

  get ended(): number {
    return this.#rounds.size;
  }

  async startByClient(label: string, rounds: number): Promise<void> {
    this.#rounds.set(label, rounds);
    await this.#client.start(loopSpec(label, rounds), { workflowId: label });
  }

  /** As any other language would: plain JSON by Temporal's own command. */
  async startByJson(label: string, rounds: number): Promise<void> {
    this.#rounds.set(label, rounds);
    const fixed = ['workflow', 'start', '--type', 'reflectionLoop', '--task-queue', 'reflection'];
    const input = JSON.stringify(loopSpec(label, rounds));
    await run([this.#cli, ...fixed, '--workflow-id', label, '--input', input, '--address', '127.0.0.1:7233']);
  }

  /** Waits until a loop made so many drafts, so that what is done next meets it in the middle. */
  async reached(label: string, requests: number): Promise<void> {
    const end = Date.now() + 120_000;
    while (this.#model.requestsOf(label) < requests) {
      if (Date.now() > end)
        throw new Error(`${label} made ${this.#model.requestsOf(label)} of ${requests} calls in 120 s`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** @throws Error unless each loop has every round once, and no call was made that no attempt of its history accounts for */
  async allEnd(labels: readonly string[]): Promise<void> {
    for (const label of labels) {
      const rounds = this.#rounds.get(label)!;
      const result = await this.#client.result(label);
      const versions = await this.#client.history(label);
      const made = versions.map(({ iteration }) => iteration);
      const { round } = result.finalOutput as { round: number };
      const expected = Array.from({ length: rounds }, (_, index) => index + 1);
      if (
        result.convergenceReason !== 'quality_met' ||
        round !== rounds ||
        JSON.stringify(made) !== JSON.stringify(expected)
      ) {
        throw new Error(`${label}: ${result.convergenceReason}, rounds ${made.join(',')} instead of 1 to ${rounds}`);
      }
      await this.#assertNotRepeated(label, rounds);
    }
  }

  async #assertNotRepeated(label: string, rounds: number): Promise<void> {
    const { events } = await this.#client.temporal.workflow.getHandle(label).fetchHistory();
    const calls = new Set<string>();
    let attempts = 0;
    for (const {
      eventId,
      activityTaskScheduledEventAttributes: scheduled,
      activityTaskStartedEventAttributes: started,
    } of events ?? []) {
      if (scheduled?.taskQueue?.name?.startsWith(MODELS)) calls.add(String(eventId));
      if (started && calls.has(String(started.scheduledEventId))) attempts += started.attempt ?? 1;
    }
    const requests = this.#model.requestsOf(label);
    if (calls.size !== rounds || requests > attempts) {
      throw new Error(
        `${label}: ${requests} requests for ${calls.size} calls in ${attempts} attempts, of ${rounds} rounds`,
      );
    }
    this.attempts += attempts;
    this.requests += requests;
  }

  /** The build that a run belongs to. */
  async buildOf(label: string): Promise<string | undefined> {
    const { raw } = await this.#client.temporal.workflow.getHandle(label).describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
  }
}
