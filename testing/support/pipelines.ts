import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { JsonObject } from '../../src/lib/json/json';
import type { PipelineResult } from '../../src/kinds/pipeline/contract/pipeline-results';
import type { PipelineSpec } from '../../src/kinds/pipeline/contract/pipeline';
import { defineAction } from '../../src/worker';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { type LoopWorld, startWorld } from './loop-world';

/** Runs in which a registered action was called. */
export const ran: string[] = [];

const actions = [
  defineAction({
    name: 'gives',
    description: 'Gives what it is told to give.',
    input: z.object({ value: z.json() }),
    run: ({ value }, { workflowId }) => {
      ran.push(workflowId);
      return value as JsonObject;
    },
  }),
  defineAction({
    name: 'drafts',
    description: 'Gives the draft of an iteration.',
    input: z.object({ list: z.array(z.json()) }),
    run: ({ list }, { iteration, workflowId }) => {
      ran.push(workflowId);
      return (list[iteration - 1] ?? list.at(-1)) as JsonObject;
    },
  }),
  defineAction({
    name: 'looks',
    description: 'Gives the whole state that it sees.',
    input: z.unknown(),
    run: (_input, { state }) => state,
  }),
  defineAction({
    name: 'breaks',
    description: 'Fails for good.',
    input: z.unknown(),
    run: () => {
      throw new Error('the pen broke');
    },
  }),
  defineAction({
    name: 'waits',
    description: 'Waits until it is cancelled.',
    input: z.unknown(),
    run: async (_input, { signal }) => {
      await sleep(600_000, undefined, { signal });
      return {};
    },
  }),
];

const NAMED = { type: 'object', required: ['title'], properties: { title: { type: 'string', minLength: 3 } } };
/** A loop whose generator gives one value after the other, and whose check wants a title. */
export const loop = (list: unknown[], more: object = {}) =>
  ({ generator: { action: 'drafts', with: { list } }, evaluator: { type: 'schema', schema: NAMED }, ...more }) as never;

/** A worker whose model says what a script has, and pipelines on it. */
export class PipelineWorld {
  private constructor(
    readonly loops: LoopWorld,
    readonly scripted: ScriptedOpenAI,
  ) {}

  static async start(script: ScriptEntry[]): Promise<PipelineWorld> {
    const scripted = await ScriptedOpenAI.start({ script });
    const loops = await startWorld({ actions, models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }] });
    return new PipelineWorld(loops, scripted);
  }

  /** Starts what may be no pipeline, as a client of another language could. */
  async started(pipeline: unknown) {
    const { temporal, taskQueue } = this.loops.client;
    const workflowId = `pipe-${randomUUID()}`;
    return temporal.workflow.start('reflectionPipeline', { taskQueue, workflowId, args: [pipeline] });
  }

  async run(pipeline: PipelineSpec): Promise<PipelineResult> {
    return (await this.started(pipeline)).result() as Promise<PipelineResult>;
  }

  /** The run of a node that is a loop. */
  child(pipelineId: string, node: string) {
    return this.loops.client.temporal.workflow.getHandle(`${pipelineId}/${node}`);
  }

  async close(): Promise<void> {
    await this.loops.close();
    await this.scripted.close();
  }
}

/** How a run failed. */
export interface Failure {
  type: string;
  message: string;
  details: unknown[];
}

export async function failure(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown as { cause: Failure },
  );
  if (!error) throw new Error('it did not fail');
  return error.cause;
}
