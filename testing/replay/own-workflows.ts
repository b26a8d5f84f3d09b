/** Workflows of somebody who runs loops inside of them, with hooks. Each takes one argument, as all that is recorded does. */
import { ApplicationFailure, CancellationScope, proxyActivities, sleep } from '@temporalio/workflow';
import { reflect, type ReflectionResult, type ReflectionSpec, startReflection } from '../../src/workflow';
import type * as own from './own-activities';

const { note } = proxyActivities<typeof own>({ startToCloseTimeout: '10s' });

/** What a recorded workflow of an owner is given. */
export interface OwnArgument {
  specs: ReflectionSpec[];
  /** What the hook says to each version. */
  words?: ('auto' | 'continue' | 'stop')[];
}

/** Loops side by side, each with all three hooks, one of which calls an activity. */
export async function ownPair({ specs }: OwnArgument): Promise<string[][]> {
  const notes: string[][] = specs.map(() => []);
  await Promise.all(
    specs.map((spec, index) =>
      reflect(spec, {
        onGeneration: ({ iteration, origin }) => void notes[index]!.push(`${origin} ${iteration}`),
        onReflection: async ({ iteration, evaluation }) => {
          notes[index]!.push(`${await note(evaluation.outcome)} ${iteration}`);
        },
        onRevision: ({ iteration }) => void notes[index]!.push(`revision ${iteration}`),
      }),
    ),
  );
  return notes;
}

/** The hook decides. */
export async function ownRuled({ specs, words = [] }: OwnArgument): Promise<ReflectionResult> {
  return reflect(specs[0]!, { onReflection: ({ iteration }) => words[iteration - 1] });
}

/** Steered by people, as `reflectionLoop` is. */
export async function ownSteered({ specs }: OwnArgument): Promise<ReflectionResult> {
  const loop = startReflection(specs[0]!);
  loop.serveMessages();
  return loop.result;
}

/** Goes on when a loop fails. */
export async function ownCaught({ specs }: OwnArgument): Promise<string> {
  try {
    await reflect(specs[0]!);
    return 'nothing was thrown';
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return note(String(error.type));
  }
}

/** Gives up on its loop, and goes on. */
export async function ownImpatient({ specs }: OwnArgument): Promise<string> {
  try {
    await CancellationScope.withTimeout(1_000, () => reflect(specs[0]!));
    return 'it was in time';
  } catch {
    return note('gave up');
  }
}

/** Its revision and its hook wait for what never comes, and no cancellation reaches them: time ends the loop, and a person does. */
export async function ownDeaf({ specs }: OwnArgument): Promise<string[]> {
  const never = (): Promise<never> => new Promise(() => undefined);
  const aborted = startReflection(specs[1]!, {
    onReflection: () => {
      void sleep(100).then(() => aborted.send('abort', { by: 'owner' }));
      return never();
    },
  });
  const late = reflect(specs[0]!, { revise: never });
  const results = await Promise.all([late, aborted.result]);
  return results.map(({ convergenceReason }) => convergenceReason);
}

/** Has its loop accept the first version, by a payload with a field that is undefined. */
export async function ownSends({ specs }: OwnArgument): Promise<ReflectionResult> {
  const word: { reason?: string; by: string } = { by: 'owner' };
  const loop = startReflection(specs[0]!, {
    onReflection: () => void loop.send('accept', { ...word, reason: word.reason! }),
  });
  return loop.result;
}
