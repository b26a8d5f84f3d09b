import type { ReflectionResult } from '../../../src/loop/contract/results';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { LedgerEntry, ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

type Body = NonNullable<LedgerEntry['body']>;

/** What a loop asked its models, and what came of it. */
export interface ScriptedLoop<Result = ReflectionResult> {
  result: Result;
  bodies: Body[];
  /** The last message of each request. */
  prompts: string[];
}

type Reply = string | ScriptEntry | ((request: string) => string);

/** One worker for the loops of a test file, one after the other, with two models: `m`, and `plain` without structured output. */
export class ScriptedLoops {
  #script: ((request: string) => ScriptEntry)[] = [];

  private constructor(
    private readonly model: ScriptedOpenAI,
    readonly world: LoopWorld,
  ) {}

  static async start(): Promise<ScriptedLoops> {
    const model = await ScriptedOpenAI.start({ script: ({ text }) => loops.#script.shift()?.(text) });
    const { baseUrl } = model;
    const world = await startWorld({
      models: [
        { name: 'm', model: 'm', baseUrl },
        { name: 'plain', model: 'plain', baseUrl, structuredOutput: false },
      ],
    });
    const loops = new ScriptedLoops(model, world);
    return loops;
  }

  /** Runs a loop whose models say this, one by one; all of it must be asked for. A text is a reply, a function makes one of its request. */
  run(spec: ReflectionSpec, replies: Reply[]): Promise<ScriptedLoop> {
    return this.collect(replies, () => this.world.client.run(spec));
  }

  /** The same for a run of another kind. */
  async collect<Result>(replies: Reply[], work: () => Promise<Result>): Promise<ScriptedLoop<Result>> {
    const before = requestsOf(this.model.ledger).length;
    this.#script = replies.map((reply) => (request): ScriptEntry => {
      const said = typeof reply === 'function' ? reply(request) : reply;
      return typeof said === 'string' ? { reply: said } : said;
    });
    const result = await work();
    const left = this.#script.length;
    if (left > 0) throw new Error(`${left} of ${replies.length} replies were not asked for`);
    const bodies = requestsOf(this.model.ledger)
      .slice(before)
      .map(({ body }) => body!);
    return { result, bodies, prompts: bodies.map(({ messages }) => messages.at(-1)!.content) };
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.model.close();
  }
}
