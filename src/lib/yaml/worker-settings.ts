import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { jsonPointer } from '../json/json-pointer';
import type { SpecProblem } from '../contract/spec-problem';
import { camelCase } from './key-names';

/** The name of an environment variable: files of a worker's settings name secrets, and hold none. */
export const variableName = z.string().regex(/^\w+$/, 'must be the name of an environment variable');

export const variableNames = z.record(z.string(), variableName);

export const httpUrl = z
  .string()
  .refine(isHttp, 'must be a URL that begins with http:// or https://, without a user or password');

function isHttp(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

export function inCamelCase(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camelCase(key), inner]));
}

/** Lists variables that this process has not. A text that is not a variable's name is reported elsewhere. */
export function unsetVariables(fields: Record<string, Json | undefined>, env: NodeJS.ProcessEnv): SpecProblem[] {
  return Object.entries(fields).flatMap(([field, map = null]) =>
    Object.entries(isJsonObject(map) ? map : {}).flatMap(([key, variable]) =>
      !variableName.safeParse(variable).success || env[variable as string]
        ? []
        : [{ path: jsonPointer([field, key]), message: `the environment variable ${String(variable)} is not set` }],
    ),
  );
}

export function valuesOfVariables(names: Record<string, string>, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([key, variable]) => [key, env[variable] ?? '']));
}
