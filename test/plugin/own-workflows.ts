/** Workflows of somebody who has a worker already: they know nothing of this package but its entry point for workflow code. */
import {
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type * as own from './own-activities';
import { reflect, type ReflectionResult, type ReflectionSpec, startReflection } from '../../src/workflow';

const { generate, lookUp } = proxyActivities<typeof own>({ startToCloseTimeout: '10s' });

const { beats } = proxyActivities<typeof own>({ startToCloseTimeout: '1m', heartbeatTimeout: '30s' });

/** Has an activity that beats in a loop. */
export async function beating(ms: number): Promise<void> {
  await beats(ms);
}

/** Has no loop. */
export async function greeting(name: string): Promise<string> {
  return generate(name);
}

/** Several loops side by side, told apart by the notes of their hooks, with an activity of one's own in a hook. */
export async function poems(specs: ReflectionSpec[]): Promise<{ results: ReflectionResult[]; notes: string[][] }> {
  const notes: string[][] = specs.map(() => []);
  const results = await Promise.all(
    specs.map((spec, index) =>
      reflect(spec, {
        onGeneration: ({ iteration, origin }) => void notes[index]!.push(`${origin} ${iteration}`),
        onReflection: async ({ iteration, evaluation }) => {
          notes[index]!.push(`${await lookUp(evaluation.outcome)} ${iteration}`);
        },
        onRevision: ({ iteration, output, previousOutput }) =>
          void notes[index]!.push(`revision ${iteration}: ${JSON.stringify([previousOutput, output])}`),
      }),
    ),
  );
  return { results, notes };
}

/** The hook decides, from a list of what it says to each version. */
export async function ruled(spec: ReflectionSpec, words: ('auto' | 'continue' | 'stop')[]): Promise<ReflectionResult> {
  return reflect(spec, { onReflection: ({ iteration }) => words[iteration - 1] });
}

/** What a hook throws comes out of `reflect`. */
export async function throwing(spec: ReflectionSpec): Promise<string> {
  const onGeneration = () => {
    throw ApplicationFailure.nonRetryable('no more poems', 'Enough');
  };
  return failureOf(() => reflect(spec, { onGeneration }));
}

/** Serves its loop's messages, and hands back something of its own. */
export async function signed(spec: ReflectionSpec): Promise<{ signed: unknown }> {
  const loop = startReflection(spec);
  loop.serveMessages();
  return { signed: (await loop.result).finalOutput };
}

/** The failure of a loop, which a workflow can catch. */
export async function caught(spec: ReflectionSpec): Promise<string> {
  return failureOf(() => reflect(spec));
}

async function failureOf(work: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await work());
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return `${error.type}: ${error.message} ${JSON.stringify(error.details?.[0] ?? null)}`;
  }
}

/** A loop that its own workflow gives up on; what the workflow does then still works. */
export async function impatient(spec: ReflectionSpec): Promise<string> {
  try {
    await CancellationScope.withTimeout(300, () => reflect(spec));
  } catch {
    return lookUp('gave up');
  }
  return 'finished';
}

export const shelfQuery = defineQuery<string>('shelf');

/** Steered by people as `reflectionLoop` is, beside a query of its own. */
export async function steered(spec: ReflectionSpec): Promise<ReflectionResult> {
  const loop = startReflection(spec);
  loop.serveMessages();
  setHandler(shelfQuery, () => `iteration ${loop.progress().iteration}, ${loop.history().versions.length} judged`);
  return loop.result;
}

/**
 * Has signals of its own: one whose handler was there before its loop's, and one whose handler comes when the loop has ended.
 * Both have names that a person might mistype a loop's commands as.
 */
export async function listening(spec: ReflectionSpec): Promise<{ heard: string[]; people: string[] }> {
  const heard: string[] = [];
  setHandler(defineSignal<[string]>('Accept'), (word) => void heard.push(`before: ${word}`));
  const loop = startReflection(spec);
  loop.serveMessages();
  const { history } = await loop.result;
  setHandler(defineSignal<[string]>('abort-all'), (word) => void heard.push(`after: ${word}`));
  return { heard, people: history.people.map(({ name }) => name) };
}

/** Decides by itself to take what there is. */
export async function acceptsItself(spec: ReflectionSpec): Promise<unknown> {
  const loop: { send?: (name: 'accept') => string | undefined } = {};
  const handle = startReflection(spec, { onReflection: () => void loop.send?.('accept') });
  loop.send = handle.send;
  const refused = handle.send('accept', { iteration: 9 });
  const { convergenceReason, finalOutput } = await handle.result;
  return { refused, convergenceReason, finalOutput };
}

/** Hands on to its loop what it is asked to, whatever that is; gives what was refused, and what came of it. */
export async function handsOn(
  spec: ReflectionSpec,
  commands: [name: string, payload?: object][],
): Promise<{ refused: (string | undefined)[]; result: ReflectionResult }> {
  const loop = startReflection(spec);
  // What a service hands on has come as JSON; what a workflow makes of it may have fields that are undefined.
  const refused = commands.map(([name, payload]) =>
    loop.send(name as 'accept', payload && { reason: undefined, ...payload }),
  );
  return { refused, result: await loop.result };
}
