import { InvalidArgumentError } from 'commander';

/** An option that is a whole number. */
export function whole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

/** One that is at least 1. */
export function atLeastOne(value: string): number {
  const number = whole(value);
  if (number < 1) throw new InvalidArgumentError('It must be at least 1.');
  return number;
}
