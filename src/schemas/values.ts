import ms, { type StringValue } from 'ms';
import { z } from 'zod';
import { isJson, isJsonObject, type Json, type JsonObject } from '../domain/json';
import type { Duration } from '../domain/spec';

// Checked and passed on as it is: zod's own JSON type would copy it, and lose keys such as `__proto__` on the way.
export const json = z.custom<Json>((value) => isJson(value), 'must be JSON');
export const jsonObject = z.custom<JsonObject>(
  (value) => isJsonObject(value) && isJson(value),
  'must be a JSON object',
);

export function milliseconds(duration: Duration): number {
  return typeof duration === 'number' ? duration : (ms(duration as StringValue) ?? Number.NaN);
}

export const duration = z
  .union([z.number(), z.string()])
  .refine((value) => milliseconds(value) > 0, { error: 'must be a duration such as "2m", or milliseconds above 0' });

export const share = z.number().min(0).max(1);

/** Hands on what a form made of a value, or its mistakes. */
export function passOn<T>(result: z.ZodSafeParseResult<T>, context: z.RefinementCtx): T {
  if (result.success) return result.data;
  for (const issue of result.error.issues) context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
  return z.NEVER;
}
