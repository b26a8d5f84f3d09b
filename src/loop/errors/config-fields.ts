import { unknownField } from '../../lib/names/nearest-name';
import { InvalidConfigError } from './errors';
import { isJsonObject } from '../../lib/json/json';
import type { SpecProblem } from '../../lib/contract/spec-problem';

type FieldCheck = (value: unknown) => string | undefined;

export type FieldChecks<T> = { [Key in keyof T]-?: FieldCheck };

/** @param wanted the requirement, as messages name it */
export const rule =
  (wanted: string, holds: (value: unknown) => boolean): FieldCheck =>
  (value) =>
    holds(value) ? undefined : `must be ${wanted}`;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** For a field that is checked where it is read. */
export const isAny: FieldCheck = () => undefined;
export const isText = rule('a text', (value) => typeof value === 'string');
export const isObject = rule('an object', isJsonObject);
export const isFunction = rule('a function', (value) => typeof value === 'function');
export const isTrueOrFalse = rule('true or false', (value) => typeof value === 'boolean');
export const isInteger = rule('a whole number', (value) => Number.isSafeInteger(value));
export const isPositiveInteger = rule(
  'a whole number of at least 1',
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
);
export const isShare = rule('a number from 0 to 1', (value) => isNumber(value) && value >= 0 && value <= 1);
export const isNotNegative = rule('a number of at least 0', (value) => isNumber(value) && value >= 0);
export const isPositive = rule('a number above 0', (value) => isNumber(value) && value > 0);
export const isTextList = rule(
  'a list of texts',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
);
export const isOneOf = (values: readonly string[]): FieldCheck =>
  rule(`one of ${values.join(', ')}`, (value) => values.includes(value as string));

export const objectWith =
  <T>(checks: FieldChecks<T>): FieldCheck =>
  (value) =>
    isObject(value) ?? readFields(value as object, checks).problems.map(({ path, message }) => `${path} ${message}`)[0];

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The place of runs, as workers and clients name it. */
export const PLACE = { address: isText, namespace: isText, taskQueue: isText };

export interface ReadFields<T> {
  values: Partial<T>;
  problems: SpecProblem[];
}

/** Unknown keys are problems: a setting that is silently left out is worse than one that is refused. */
export function readFields<T>(config: object, checks: FieldChecks<T>, at = ''): ReadFields<T> {
  const values: Record<string, unknown> = {};
  const problems: SpecProblem[] = [];
  for (const [key, value] of Object.entries(config)) {
    if (value === undefined) continue;
    const name = camelCase(key);
    const path = `${at}/${key}`;
    if (!Object.hasOwn(checks, name)) {
      problems.push({ path, message: unknownField(name, Object.keys(checks)) });
    } else if (Object.hasOwn(values, name)) {
      problems.push({ path, message: 'is given twice' });
    } else {
      const message = checks[name as keyof T](value);
      if (message !== undefined) problems.push({ path, message });
      values[name] = value;
    }
  }
  return { values: values as Partial<T>, problems };
}

/** @throws InvalidConfigError with every problem */
export function requireSoundFields<T>({ values, problems }: ReadFields<T>): Partial<T> {
  if (problems.length > 0) throw new InvalidConfigError(problems);
  return values;
}

export function soundFields<T>(config: object, checks: FieldChecks<T>, at = ''): Partial<T> {
  return requireSoundFields(readFields(config, checks, at));
}
