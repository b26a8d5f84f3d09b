import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Json } from '../../../src/lib/json/json';
import { createSandbox, type Sandbox } from '../../../src/lib/sandbox';

/** A call of a function, and what it must return. */
export const codeTest = z.strictObject({ args: z.array(z.json()), result: z.json() });
export type CodeTest = z.infer<typeof codeTest>;

const RUNS_AT_MOST_MS = 5_000;
/** Characters of a result that an error message shows. */
const SHOWN = 200;

let shared: Sandbox | undefined;

/** The sandbox of all code of the benchmark. It has no other work, so one piece runs at a time. */
function sandbox(): Sandbox {
  return (shared ??= createSandbox({ timeMs: RUNS_AT_MOST_MS, maxConcurrent: 1, poolSize: 1 }));
}

/** Ends the sandbox; the next test starts another one. */
export async function closeSandbox(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await closing?.close();
}

/** The program in a reply: what stands in its first code fence, or all of it. */
export function codeIn(text: string): string {
  return /```[^\n]*\n([^]*?)(?:```|$)/.exec(text)?.[1] ?? text;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN);
}

/** Runs JavaScript where it can reach nothing. Says of each test that fails why it does. */
export async function codeProblems(text: string, name: string, tests: readonly CodeTest[]): Promise<string[]> {
  // Results are compared out here, where the code cannot make everything equal.
  const code = `${codeIn(text)}
;return benchCalls.map((args) => {
  try {
    const value = ${name}(...args);
    return { value: value === undefined ? null : value, isNothing: value === undefined };
  } catch (error) {
    return { error: String(error) };
  }
});`;
  let results: Json | undefined;
  try {
    results = await sandbox().run({
      language: 'javascript',
      code,
      inputs: { state: { benchCalls: tests.map(({ args }) => args) } },
    });
  } catch (error) {
    if ((error as Error).name !== 'CodeFailed') throw error;
    return [`The code fails: ${(error as Error).message}`];
  }
  const all = Array.isArray(results) ? (results as { value?: Json; isNothing?: boolean; error?: string }[]) : [];
  return tests.flatMap(({ args, result }, index) => {
    const call = `${name}(${args.map(shown).join(', ')})`;
    const { value, isNothing, error } = all[index] ?? {};
    if (error !== undefined) return [`${call} throws ${error.slice(0, SHOWN)}; it should return ${shown(result)}.`];
    if (!isNothing && isDeepStrictEqual(value, result)) return [];
    return [`${call} returns ${isNothing ? 'nothing' : shown(value)}; it should return ${shown(result)}.`];
  });
}
