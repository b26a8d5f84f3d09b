import type { z } from 'zod';
import { OWN_WORDS } from '../../contract/issue-sentence';

export function mistakesOf(shape: z.ZodType, value: unknown): string[] {
  const { error } = shape.safeParse(value, OWN_WORDS);
  return (error?.issues ?? []).map(({ path, message }) =>
    path.length === 0 ? message : `/${path.join('/')}: ${message}`,
  );
}
