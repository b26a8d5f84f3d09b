import type { ReflectionClient } from '../../src/client';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { LedgerEntry, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { ReflectionResult } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { ReflectionWorkerOptions } from '../../src/worker';
import { type LoopWorld, startWorld } from './loop-world';

type Body = NonNullable<LedgerEntry['body']>;

/** A model of the worker, as its owner configures it, without the address. */
interface ScriptedModel {
  name: string;
  model: string;
  stream?: boolean;
}

const WRITER_AND_JUDGE: ScriptedModel[] = ['writer', 'judge'].map((name) => ({ name, model: name }));

/** A worker on a real server whose models answer from one script, which each test writes. */
export class WriterAndJudge {
  #script: ScriptEntry[] = [];
  #before = 0;

  private constructor(
    readonly openai: ScriptedOpenAI,
    readonly world: LoopWorld,
  ) {}

  /** @param models the models of the worker; by default `writer` and `judge` */
  static async start({
    models = WRITER_AND_JUDGE,
    ...options
  }: Omit<ReflectionWorkerOptions, 'models'> & { models?: ScriptedModel[] } = {}): Promise<WriterAndJudge> {
    const openai = await ScriptedOpenAI.start({ script: () => scripted.#script.shift() });
    const { baseUrl } = openai;
    const world = await startWorld({ ...options, models: models.map((each) => ({ ...each, baseUrl })) });
    const scripted = new WriterAndJudge(openai, world);
    return scripted;
  }

  get client(): ReflectionClient {
    return this.world.client;
  }

  /** Sets what the models say from now on, in its order. */
  say(entries: readonly ScriptEntry[]): void {
    this.#script = [...entries];
  }

  /** Forgets the requests so far. */
  forget(): void {
    this.#before = requestsOf(this.openai.ledger).length;
  }

  /** Runs a loop whose models say this; all of it must be asked for. */
  async run(spec: ReflectionSpec, entries: readonly ScriptEntry[]): Promise<ReflectionResult> {
    this.say(entries);
    const result = await this.client.run(spec);
    this.expectAllSaid();
    return result;
  }

  expectAllSaid(): void {
    expect(this.#script).toEqual([]);
  }

  /** The requests that are not forgotten. */
  bodies(): Body[] {
    return requestsOf(this.openai.ledger)
      .slice(this.#before)
      .map(({ body }) => body!);
  }

  /** The prompts of one model in them, each with all of its messages. */
  prompts(model: string): string[] {
    const texts = (body: Body): string => body.messages.map(({ content }) => content ?? '').join('\n');
    return this.bodies().flatMap((body) => (body.model === model ? [texts(body)] : []));
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.openai.close();
  }
}
