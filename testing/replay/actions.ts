import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Json, JsonObject } from '../../src/lib/json/json';
import { type Action, defineAction } from '../../src/worker';

/** What steps of the scenarios do without a model. */
export const recordedActions: Action[] = [
  defineAction({
    name: 'answers',
    description: 'Gives the answer for the iteration, the last one again and again.',
    input: z.object({ list: z.array(z.json()), failAt: z.number().optional() }),
    needs: [],
    run: ({ list, failAt }, { iteration }) => {
      if (iteration === failAt) throw new Error('the pen broke');
      return (list[iteration - 1] ?? list.at(-1)) as Json;
    },
  }),
  defineAction({
    name: 'counts',
    readOnly: true,
    description: 'Says the number of the iteration, and waits for ever at one of them.',
    input: z.object({ stuckAt: z.number().optional() }),
    needs: [],
    run: async ({ stuckAt }, { iteration, signal }) => {
      if (iteration === stuckAt) await sleep(600_000, undefined, { signal });
      return { iteration };
    },
  }),
  defineAction({
    name: 'repairs',
    description: 'Adds what the errors ask for, one thing at a time.',
    input: z.unknown(),
    run: (_input, { state }): JsonObject => {
      const output = state['reflection_output'] as JsonObject;
      return 'name' in output ? { ...output, age: 30 } : { ...output, name: 'Ada' };
    },
  }),
  defineAction({
    name: 'grown-up',
    description: 'Wants an age.',
    input: z.object({ output: z.record(z.string(), z.json()) }),
    needs: [],
    run: ({ output }) => [Number(output['age']) >= 18, 'say the age'],
  }),
  defineAction({
    name: 'finds',
    description: 'Finds a fault less in each version, and gives no score.',
    input: z.unknown(),
    run: (_input, { state }): JsonObject => {
      const { iteration } = state['reflection_output'] as { iteration: number };
      const issues = ['no date', 'no sender', 'no subject', 'two typos'].slice(iteration - 1);
      return { valid: issues.length === 0, issues: issues.map((message) => ({ message })) };
    },
  }),
  defineAction({
    name: 'advises',
    readOnly: true,
    description: 'Says what to try next.',
    input: z.unknown(),
    run: () => 'think of the age',
  }),
  defineAction({
    name: 'pays',
    description: 'Pays an amount.',
    input: z.object({ amount: z.number() }),
    needs: [],
    approval: ({ amount }) => amount > 10,
    run: ({ amount }) => `paid ${amount}`,
  }),
  defineAction({
    name: 'heeds',
    description: 'Writes what the hint says.',
    input: z.unknown(),
    run: (_input, { state }): JsonObject =>
      state['reflection_hint'] === 'think of the age' ? { name: 'Ada', age: 30 } : { name: 'Ada' },
  }),
  defineAction({
    name: 'goes-on',
    description: 'Wants another version, whatever the first was like.',
    input: z.object({ iteration: z.number() }),
    needs: [],
    run: ({ iteration }) => (iteration === 1 ? 'continue' : 'auto'),
  }),
  defineAction({
    name: 'ends',
    description: 'Wants no third version.',
    input: z.object({ iteration: z.number() }),
    needs: [],
    run: ({ iteration }) => (iteration === 2 ? 'stop' : 'auto'),
  }),
];
