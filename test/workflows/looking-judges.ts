import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { WriterAndJudge } from '../../testing/support/writer-and-judge';

const ORDERS: Record<string, { number: string; delivered: string }> = {
  A17: { number: 'A17', delivered: '2026-03-02' },
};

/** A reply of the writer that says a date. */
export const draft = (date: string): ScriptEntry => ({
  match: { model: 'writer' },
  reply: `Order A17 came on ${date}.`,
});

/** A verdict of the judge. */
export const verdict = (valid: boolean, more: object = {}): ScriptEntry => ({
  match: { model: 'judge' },
  reply: { valid, score: valid ? 0.9 : 0.2, issues: [], ...more },
});

/** The verdict of a judge that found an invented date. */
export const INVENTED = verdict(false, {
  issues: [{ message: 'the order came on 2026-03-02', severity: 'critical' }],
});

/** A turn in which the judge looks orders up. */
export const calls = (...numbers: string[]): ScriptEntry => ({
  toolCalls: numbers.map((number) => ({ name: 'orders_get', arguments: { number } })),
});

/** A turn in which the judge calls a tool without arguments. */
export const callsTool = (name: string, text?: string): ScriptEntry => ({
  toolCalls: [{ name, arguments: {} }],
  ...(text !== undefined && { text }),
});

const EVALUATOR = { type: 'llm' as const, name: 'dates', model: 'judge', tools: ['orders.get'] };

/** A loop whose judge may look orders up. */
export const spec: ReflectionSpec = {
  task: 'When did order A17 come?',
  generator: { action: 'llm.call', model: 'writer' },
  evaluator: EVALUATOR,
  maxIterations: 1,
};

/** The same judge with other settings. */
export const judge = (more: object) => ({ evaluator: { ...EVALUATOR, ...more } });

/** Loops whose judges look for themselves, on a real server and with a scripted model. */
export class LookingJudges {
  /** The numbers of the orders that were looked up. */
  readonly called: string[] = [];
  /** The text of the page that the tool `page` reads. */
  page = '';
  #world!: WriterAndJudge;

  static async start(): Promise<LookingJudges> {
    const judges = new LookingJudges();
    const models = ['writer', 'judge'].map((name) => ({ name, model: name }));
    const streaming = { name: 'streaming', model: 'judge', stream: true };
    judges.#world = await WriterAndJudge.start({ models: [...models, streaming], actions: judges.#actions() });
    return judges;
  }

  #actions() {
    const reads = { readOnly: true, input: z.object({}) };
    return [
      defineAction({
        ...reads,
        name: 'orders.get',
        description: 'Finds an order.',
        input: z.object({ number: z.string() }),
        run: ({ number }) => {
          this.called.push(number);
          const found = ORDERS[number];
          if (!found) throw new Error(`There is no order ${number}.`);
          return found;
        },
      }),
      defineAction({ ...reads, name: 'page', description: 'Reads a page.', run: () => this.page }),
      defineAction({
        ...reads,
        name: 'away',
        description: 'Is away.',
        run: () => {
          throw ApplicationFailure.retryable('the shop does not answer', 'Shop.Away');
        },
      }),
      defineAction({ name: 'orders.delete', description: 'Deletes an order.', input: z.object({}), run: () => null }),
    ];
  }

  get client() {
    return this.#world.client;
  }

  /** Sets the answers of the models, in their order. */
  say(entries: readonly ScriptEntry[]): void {
    this.#world.say(entries);
    this.#world.forget();
    this.called.splice(0);
  }

  async run(more: Partial<ReflectionSpec>, entries: readonly ScriptEntry[]) {
    this.#world.forget();
    this.called.splice(0);
    return this.#world.run({ ...spec, ...more }, entries);
  }

  /** The requests since the answers were set. */
  bodies() {
    return this.#world.bodies();
  }

  async close(): Promise<void> {
    await this.#world.close();
  }
}
