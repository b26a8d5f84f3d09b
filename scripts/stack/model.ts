import type { Server } from 'node:net';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { forward } from './forward';

/** The model of the stack: a draft for each loop and round, slow enough that a failure meets calls on their way. */
export class StackModel {
  readonly #server: ScriptedOpenAI;
  readonly #gates: Server[] = [];

  private constructor(server: ScriptedOpenAI) {
    this.#server = server;
  }

  static async start({ callMs, draftCharacters }: { callMs: number; draftCharacters: number }): Promise<StackModel> {
    const script = ({ text }: { text: string }) => {
      const [, label, round] = /LOOP ([\w-]+) ROUND (\d+)/.exec(text) ?? [];
      if (label === undefined) return undefined;
      return { delayMs: callMs, reply: { label, round: Number(round), text: label.padEnd(draftCharacters, '.') } };
    };
    return new StackModel(await ScriptedOpenAI.start({ script, models: ['gpt-4o-mini'] }));
  }

  get port(): number {
    return Number(new URL(this.#server.baseUrl).port);
  }

  /** The scripted server listens on loopback only; containers come by way of the network's gateway. */
  async open(address: string): Promise<void> {
    const { server } = await forward({ host: address, port: this.port }, async () => ({
      host: '127.0.0.1',
      port: this.port,
    }));
    this.#gates.push(server);
  }

  /** How many requests came for a loop. */
  requestsOf(label: string): number {
    const asks = new RegExp(`LOOP ${label} ROUND`);
    return this.#server.ledger.filter(({ kind, body }) => kind === 'request' && asks.test(JSON.stringify(body))).length;
  }

  async close(): Promise<void> {
    for (const gate of this.#gates) gate.close();
    await this.#server.close();
  }
}
