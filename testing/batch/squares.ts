import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { findBatch } from '../../src/kinds/batch/client/batch-run';
import { pageId } from '../../src/kinds/batch/state/batch';
import type { BatchLine, ReflectionClient, ReflectionSpec } from '../../src';
import { defineAction } from '../../src/worker';

/** What became of the items of a batch of numbers that are squared, and how the action behaves. */
export class Squares {
  /** Runs of an item, by its key. */
  readonly ran = new Map<string, number>();
  running = 0;
  mostRunning = 0;
  /** Items wait until they are let go. */
  isHeld = false;
  /** While items are held: only from this number on. */
  heldFrom = 0;
  /** Some items fail. */
  isFailing = true;

  readonly action = defineAction({
    name: 'square',
    description: 'Squares a number.',
    input: z.object({ key: z.string(), value: z.number() }),
    run: async ({ key, value }) => {
      this.ran.set(key, (this.ran.get(key) ?? 0) + 1);
      this.running += 1;
      this.mostRunning = Math.max(this.mostRunning, this.running);
      do await new Promise((resolve) => setTimeout(resolve, 30));
      while (this.isHeld && value >= this.heldFrom);
      this.running -= 1;
      if (value % 50 === 7 && this.isFailing) throw new Error('cannot square it');
      return { square: value * value, ...(value === 3 ? { text: 'x'.repeat(70_000) } : {}) };
    },
  });
}

/** Half of the numbers have a square that is even. */
export const SQUARING: ReflectionSpec = {
  name: 'squares',
  maxIterations: 1,
  onFailure: 'raise',
  generator: { action: 'square', with: { key: '{{ state.key }}', value: '{{ state.value }}' } },
  evaluator: {
    type: 'schema',
    schema: { type: 'object', properties: { square: { type: 'number', multipleOf: 2 } } },
  },
};

export const itemsOf = (count: number, key = randomUUID()) =>
  Array.from({ length: count }, (_, value) => ({
    key: `${key}-${value}`,
    value,
    ...(value % 2 ? { id: `no ${value}` } : {}),
  }));

/** What came of the items of a batch, so far or in the end. */
export async function linesOf({ batches: batch }: ReflectionClient, workflowId: string): Promise<BatchLine[]> {
  const lines: BatchLine[] = [];
  for await (const line of batch.results(workflowId)) lines.push(line);
  return lines;
}

/** Workflow id of a page of a batch. */
export async function pageRunOf({ temporal }: ReflectionClient, workflowId: string, page: number): Promise<string> {
  const found = await findBatch(temporal, workflowId, 'test', {});
  return pageId(workflowId, found!.digest, page);
}
