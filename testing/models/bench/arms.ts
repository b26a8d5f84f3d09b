import type { Json } from '../../../src/lib/json/json';
import { addUsage, NO_USAGE } from '../../../src/lib/base/tokens';
import type { TokenUsage } from '../../../src/lib/contract/values';
import type { ReflectionVersion } from '../../../src/loop/state/loop-state';
import type { ChatReply } from '../../../src/lib/models/types';
import { promptOf, type Task } from '../task';
import { type Checked, checked } from './check';

/** A version of a loop, as far as its revisions are counted. */
export type MadeVersion = Pick<
  ReflectionVersion,
  'iteration' | 'output' | 'origin' | 'basedOn' | 'strategy' | 'omittedBytes'
>;

/** What an arm made of a task. */
export interface Made {
  /** Null where there is none. */
  output: Json;
  usage: TokenUsage;
  /** Of a loop: all of its versions. */
  versions?: readonly MadeVersion[];
}

/** How a loop written by hand goes about it. */
export interface PlainArm {
  /** Sampling temperature, unless the benchmark is given one for all. */
  temperature: number;
  /** At most this many calls, and never more than the budget. Default: the budget. */
  calls?: number;
  /** The prompt of a further call has the last output and what is wrong with it. */
  isTold?: true;
  /** Sends the schema of the output as `response_format`; only for tasks that have one. */
  withSchema?: true;
}

/**
 * The arms besides ours. A single call, and one that is corrected, are made at temperature 0: as good as the model can at
 * once. Samples must differ, so they are drawn at 0.8. All stop at the first output that passes the check.
 */
export const PLAIN_ARMS = {
  single: { temperature: 0, calls: 1 },
  'best-of-n': { temperature: 0.8 },
  retry: { temperature: 0, isTold: true },
  schema: { temperature: 0, calls: 1, withSchema: true },
} as const satisfies Record<string, PlainArm>;

export const OURS = 'ours';
/** The draft's temperature; the loop may choose another one for what follows. */
export const OUR_TEMPERATURE = 0;
/** The loop that a spec without a corrector gets: the built-in revision, with its defaults. */
export const REVISION = 'revision';
export const ARMS = [...(Object.keys(PLAIN_ARMS) as (keyof typeof PLAIN_ARMS)[]), REVISION, OURS] as const;
export type Arm = (typeof ARMS)[number];

/** Returns whether an arm is a loop on a Temporal server. */
export function isLoop(arm: Arm): arm is typeof OURS | typeof REVISION {
  return arm === OURS || arm === REVISION;
}

/** Returns whether an arm can do a task at all. */
export function fits(arm: Arm, task: Task): boolean {
  const { withSchema }: Partial<PlainArm> = isLoop(arm) ? {} : PLAIN_ARMS[arm];
  return !withSchema || task.schema !== undefined;
}

/** Makes one model call. */
export type Ask = (
  prompt: string,
  options: { temperature: number; maxTokens: number; schema?: Task['schema'] },
) => Promise<ChatReply>;

function toldPrompt(task: Task, output: string, { issues }: Checked): string {
  return [
    promptOf(task),
    `Your last answer was:\n${output}`,
    `This is wrong with it:\n${issues.map((issue) => `- ${issue}`).join('\n')}`,
    'Answer again, with the whole corrected answer and nothing else.',
  ].join('\n\n');
}

/**
 * Does a task by a loop written by hand. One that is told what is wrong gives back its last output, the others their best.
 *
 * @throws what `ask` throws
 */
export async function runPlain(
  { temperature, calls = Infinity, isTold, withSchema }: PlainArm,
  task: Task,
  ask: Ask,
  budget: number,
): Promise<Made> {
  let usage = NO_USAGE;
  let best: (Checked & { output: string }) | undefined;
  let prompt = promptOf(task);
  for (let call = 0; call < Math.min(calls, budget) && !best?.valid; call += 1) {
    const reply = await ask(prompt, {
      temperature,
      maxTokens: task.maxTokens,
      ...(withSchema && { schema: task.schema }),
    });
    usage = addUsage(usage, reply.usage);
    const check = await checked(task, reply.text);
    if (isTold) prompt = toldPrompt(task, reply.text, check);
    if (!best || isTold || check.valid || check.score > best.score) best = { ...check, output: reply.text };
  }
  return { output: best?.output ?? null, usage };
}
