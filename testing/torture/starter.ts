import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { ReflectionClient } from '../../src/client';
import { pause } from './pause';
import { type LoopPlan, type PlannedCommand, planOf } from './plans';
import type { CommandRecord, LoopRecord } from './record';
import { sendCommand } from './send-command';

const RETRY_MS = 300;

/** Starts loops, so many at a time, steers those that have commands in their plan, and writes down what it was told. */
export class Starter {
  readonly loops: LoopRecord[] = [];
  readonly commands: CommandRecord[] = [];
  readonly running = new Set<string>();
  readonly #client: ReflectionClient;
  readonly #seed: number;
  readonly #steering = new Set<Promise<void>>();
  #next = 0;
  #stopping = false;
  #abandoned = false;

  constructor(client: ReflectionClient, seed: number) {
    this.#client = client;
    this.#seed = seed;
  }

  /** Keeps so many loops under way until `stop`; returns when all of them have ended. */
  async run(loops: number): Promise<void> {
    const lane = async (): Promise<void> => {
      while (!this.#stopping) {
        const plan = planOf(this.#seed, this.#next);
        this.#next += 1;
        await this.#one(plan);
      }
    };
    await Promise.all(Array.from({ length: loops }, lane));
    await Promise.race([Promise.all(this.#steering), this.#untilAbandoned()]);
    this.abandon();
  }

  /** Starts no more. */
  stop(): void {
    this.#stopping = true;
  }

  /** Gives up waiting for loops that do not end. */
  abandon(): void {
    this.#stopping = true;
    this.#abandoned = true;
  }

  async #one(plan: LoopPlan): Promise<void> {
    const workflowId = `torture-${plan.loop}`;
    const record: LoopRecord = { loop: plan.loop, workflowId, steered: plan.commands.length > 0 };
    this.loops.push(record);
    this.running.add(workflowId);
    await this.#start(plan, record);
    for (const command of plan.commands) this.#steer(workflowId, command, command.afterMs);
    await this.#end(workflowId);
    this.running.delete(workflowId);
    if (!plan.late || this.#abandoned) return;
    for (const via of ['signal', 'update'] as const) {
      this.#steer(workflowId, { id: `${plan.loop}-late-${via}`, name: 'accept', via }, 0);
    }
  }

  /** Tries until the start is acknowledged. The server itself knows whether an attempt that broke had been taken. */
  async #start(plan: LoopPlan, record: LoopRecord): Promise<void> {
    const { workflowId } = record;
    while (record.acknowledgedAt === undefined && !this.#abandoned) {
      try {
        if (!(await this.#exists(workflowId))) await this.#client.start(plan.spec, { workflowId });
        record.acknowledgedAt = Date.now();
      } catch {
        await pause(RETRY_MS);
      }
    }
  }

  async #exists(workflowId: string): Promise<boolean> {
    try {
      await this.#client.temporal.workflow.getHandle(workflowId).describe();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async #end(workflowId: string): Promise<void> {
    while (!this.#abandoned) {
      try {
        const ended = this.#client.temporal.workflow.getHandle(workflowId).result();
        // Left alone when the run is given up: it must not be an unhandled rejection then.
        ended.catch(() => {});
        await Promise.race([ended, this.#untilAbandoned()]);
        return;
      } catch (error) {
        if (error instanceof WorkflowFailedError) return;
        await pause(RETRY_MS);
      }
    }
  }

  async #untilAbandoned(): Promise<void> {
    while (!this.#abandoned) await pause(RETRY_MS);
  }

  /** Sends a command until an answer comes back: its id makes sure that it counts once. */
  #steer(workflowId: string, command: Omit<PlannedCommand, 'afterMs'>, afterMs: number): void {
    const send = async (): Promise<void> => {
      await pause(afterMs);
      while (!this.#abandoned) {
        const sent = await sendCommand(this.#client.temporal, workflowId, command);
        this.commands.push(sent);
        if (sent.answer !== 'unknown') return;
        await pause(RETRY_MS);
      }
    };
    const steering = send().finally(() => this.#steering.delete(steering));
    this.#steering.add(steering);
  }
}
