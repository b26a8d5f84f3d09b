import { InvalidArgumentError } from 'commander';

/** An option that is a whole number. */
export function whole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}
