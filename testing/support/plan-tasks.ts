import { z } from 'zod';
import type { Task } from '../../src/kinds/plan/contract/plan';
import { defineAction } from '../../src/worker';

/** Names of what ran, with what it saw. */
export const ran: { name: string; results: unknown }[] = [];
const waiting = new Set<string>();

export const planActions = [
  defineAction({
    name: 'does',
    description: 'Gives a value, or fails with an error.',
    input: z.object({ name: z.string(), error: z.string().optional(), value: z.json().optional() }),
    run: ({ name, error, value = `${name} is done` }, { state }) => {
      ran.push({ name, results: state['results'] });
      if (error !== undefined) throw new Error(error);
      return value;
    },
  }),
  defineAction({
    name: 'meets',
    description: 'Ends when another of the same kind has begun.',
    input: z.object({ name: z.string(), other: z.string() }),
    run: async ({ name, other }, { signal }) => {
      waiting.add(name);
      while (!waiting.has(other)) {
        signal.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return name;
    },
  }),
  defineAction({
    name: 'plans',
    description: 'Gives the plan of an attempt.',
    input: z.object({ plans: z.array(z.json()) }),
    run: ({ plans }, { iteration, state }) => {
      ran.push({ name: `plan ${iteration}`, results: state['evaluation'] });
      return plans[iteration - 1] ?? plans.at(-1)!;
    },
  }),
];

export const task = (id: string, more: Partial<Task> & { error?: string } = {}): Task => {
  const { error, ...rest } = more;
  return {
    id,
    description: `Do ${id}`,
    step: { action: 'does', with: { name: id, ...(error === undefined ? {} : { error }) } },
    ...rest,
  };
};
export const plan = (...tasks: Task[]) => ({ id: 'first', tasks });
export const names = () => ran.map(({ name }) => name);
