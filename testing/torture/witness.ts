import type { Client } from '@temporalio/client';
import type { Caller } from './caller';
import { firstOf } from './histories';
import { pause } from './pause';
import type { NotedRecord } from './record';
import { SHORTEST_STALL_MS, type Stall } from './stalls';

const LOOK_EVERY_MS = 500;

/** Some times of what a heartbeat may take to be sent on. */
const NOTED_WITHIN_MS = 8_000;

/** Asks the server, past the network's faults, which ids of responses it has from heartbeats. */
export class Witness {
  readonly noted: NotedRecord[] = [];
  readonly #client: Client;
  readonly #onSlow: (stall: Stall) => void;
  #stopping = false;

  /** @param onSlow told when the server took long to answer */
  constructor(client: Client, onSlow: (stall: Stall) => void) {
    this.#client = client;
    this.#onSlow = onSlow;
  }

  /** Looks at all of these again and again, until it is told to stop. */
  async run(workflowIds: ReadonlySet<string>): Promise<void> {
    while (!this.#stopping) {
      for (const workflowId of workflowIds) await this.#look(workflowId);
      await pause(LOOK_EVERY_MS);
    }
  }

  stop(): void {
    this.#stopping = true;
  }

  /** Returns whether the server has an id of this activity, in time. */
  async untilNoted({ workflowId, runId, activityId }: Caller): Promise<boolean> {
    const latest = Date.now() + NOTED_WITHIN_MS;
    while (Date.now() < latest) {
      await this.#look(workflowId);
      if (this.noted.some((one) => one.runId === runId && one.activityId === activityId)) return true;
      await pause(100);
    }
    return false;
  }

  async #look(workflowId: string): Promise<void> {
    const asked = Date.now();
    try {
      const { runId, raw } = await this.#client.workflow.getHandle(workflowId).describe();
      const at = Date.now();
      if (at - asked >= SHORTEST_STALL_MS) this.#onSlow({ at: asked, until: at });
      for (const { activityId, heartbeatDetails } of raw.pendingActivities ?? []) {
        const { responseId: response } = (firstOf(heartbeatDetails) ?? {}) as { responseId?: string };
        if (activityId && response !== undefined) this.#note({ runId, activityId, response, at });
      }
    } catch {
      // The server is being killed, or the run is not there yet.
    }
  }

  #note(seen: NotedRecord): void {
    const { runId, activityId, response } = seen;
    const isKnown = this.noted.some(
      (one) => one.runId === runId && one.activityId === activityId && one.response === response,
    );
    if (!isKnown) this.noted.push(seen);
  }
}
