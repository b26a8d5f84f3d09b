import { threadMilliseconds } from './thread-time';
import { TimeLimitExceeded, withTimeLimit } from './time-limit';

/** The request to a thread: one function of a module, with its input as JSON. */
export interface Question {
  id: number;
  file: string;
  name: string;
  input: string;
  milliseconds: number;
}

export interface Answer {
  id: number;
  /** JSON. */
  output?: string;
  failure?: { name: string; message: string };
  /** Whether it was interrupted. */
  isLate?: true;
  /** Milliseconds that it had a processor. */
  spentMs: number;
}

/** The factor by which a check may take longer while other programs have the processor. */
export const PATIENCE = 3;

type Functions = Record<string, (input: unknown) => unknown>;

/** Does what a question asks for. Never throws. */
export function answerTo({ id, file, name, input, milliseconds }: Question, load: (file: string) => unknown): Answer {
  let begun = threadMilliseconds();
  const measureSpent = () => threadMilliseconds() - begun;
  try {
    const work = (load(file) as Functions)[name]!;
    // Loading modules takes long, and once only.
    begun = threadMilliseconds();
    const given: unknown = JSON.parse(input);
    const output = withTimeLimit(milliseconds, () => JSON.stringify(work(given)), PATIENCE);
    return { id, output, spentMs: measureSpent() };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const { name: kind, message } = failure;
    const isLate = error instanceof TimeLimitExceeded && { isLate: true as const };
    return { id, failure: { name: kind, message }, ...isLate, spentMs: measureSpent() };
  }
}
