import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const WRITER = 'You write';
const generator = { action: 'llm.call' as const, system: `${WRITER} poems.`, prompt: 'A haiku' };

/** What the writer answers. */
export const draft = (reply: string): ScriptEntry => ({ match: WRITER, reply });

/** A reply of a judge. */
export const vote = (valid: boolean, score: number, message?: string) => ({
  valid,
  score,
  reason: valid ? 'fine' : 'weak',
  issues: message === undefined ? [] : [{ message }],
  suggestions: [],
  confidence: 0.9,
});

/** A reply of a judge that is asked questions. */
export const answers = (...words: string[]) => ({
  answers: words.map((answer, index) => ({ question: `q${index + 1}`, finding: `finding ${index + 1}`, answer })),
  confidence: 0.9,
});

/** Loops that write poems, each with a scripted model of its own. */
export class JudgedPoems {
  #model: ScriptedOpenAI | undefined;

  private constructor(private readonly world: LoopWorld) {}

  static async start(): Promise<JudgedPoems> {
    return new JudgedPoems(await startWorld());
  }

  /** Runs a loop, and lists the names of its activities, in order. */
  async run(script: ScriptEntry[], spec: Omit<ReflectionSpec, 'generator'>) {
    await this.#endModel();
    this.#model = await ScriptedOpenAI.start({ script });
    process.env['OPENAI_BASE_URL'] = this.#model.baseUrl;
    const { client } = this.world;
    const { workflowId } = await client.start({ generator, ...spec });
    const result = await client.result(workflowId);
    const { events } = await client.temporal.workflow.getHandle(workflowId).fetchHistory();
    const activities = events!.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
    return { result, activities };
  }

  /** The requests of the latest loop, in order. */
  requests(): ReturnType<typeof requestsOf> {
    return requestsOf(this.#model!.ledger);
  }

  async close(): Promise<void> {
    await this.#endModel();
    await this.world.close();
  }

  async #endModel(): Promise<void> {
    delete process.env['OPENAI_BASE_URL'];
    await this.#model?.close();
    this.#model = undefined;
  }
}
