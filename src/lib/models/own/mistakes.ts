import type { z } from 'zod';

/** Returns the mistakes in a value that the owner's code gave, each with its path; empty if there are none. */
export function mistakesOf(shape: z.ZodType, value: unknown): string[] {
  const { error } = shape.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => {
    const text = message.replace(/^Invalid input: /, '');
    return path.length === 0 ? text : `/${path.join('/')}: ${text}`;
  });
}
