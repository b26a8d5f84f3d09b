import type { WorkflowFailedError } from '@temporalio/client';
import { z } from 'zod';
import type { JsonObject } from '../../src/lib/json/json';
import { defineAction } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { LedgerEntry, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from './loop-world';

export const PERSON = {
  type: 'object',
  required: ['name', 'age'],
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
};

/** A worker with two models, which share a script that each test writes, and two actions. */
export class StandaloneWorld {
  /** What the models will say, one by one. */
  script: ScriptEntry[] = [];
  /** What the action `completes` was shown. */
  readonly seen: JsonObject[] = [];
  #asked = 0;

  private constructor(
    readonly model: ScriptedOpenAI,
    private world?: LoopWorld,
  ) {}

  static async start(): Promise<StandaloneWorld> {
    const script = (): ScriptEntry | undefined => started.script.shift();
    const model = await ScriptedOpenAI.start({ script });
    const started = new StandaloneWorld(model);
    const completes = defineAction({
      name: 'completes',
      description: 'Adds what is missing.',
      input: z.object({ age: z.number() }),
      run: ({ age }, { state, task }): JsonObject => {
        started.seen.push({ ...structuredClone(state), task: task ?? null });
        return { ...(state['reflection_output'] as JsonObject), age };
      },
    });
    const breaks = defineAction({
      name: 'breaks',
      description: 'Cannot do it.',
      input: z.unknown(),
      run: () => {
        throw new Error('the pen broke');
      },
    });
    const { baseUrl } = model;
    started.world = await startWorld({
      actions: [completes, breaks],
      models: [
        { name: 'small', model: 'small-1', baseUrl },
        { name: 'large', model: 'large-1', baseUrl },
      ],
    });
    return started;
  }

  get client() {
    return this.world!.client;
  }

  /** Forgets what an earlier test did. */
  reset(): void {
    this.script = [];
    this.seen.splice(0);
    this.#asked = requestsOf(this.model.ledger).length;
  }

  /** What this test's runs asked the models. */
  requests(): LedgerEntry[] {
    return requestsOf(this.model.ledger).slice(this.#asked);
  }

  prompt(index: number): string {
    const { messages } = this.requests()[index]!.body!;
    return messages.map(({ content }) => content).join('\n');
  }

  /** The failure of a run that was started as other SDKs would, without our client's check of the form. */
  async failureOf(type: string, argument: unknown): Promise<unknown> {
    const workflowId = `standalone-${this.client.taskQueue}-${Math.random()}`;
    const { taskQueue, temporal } = this.client;
    const handle = await temporal.workflow.start(type, { taskQueue, workflowId, args: [argument] });
    try {
      return await handle.result();
    } catch (error) {
      return (error as WorkflowFailedError).cause;
    }
  }

  async close(): Promise<void> {
    await this.world?.close();
    await this.model.close();
  }
}
