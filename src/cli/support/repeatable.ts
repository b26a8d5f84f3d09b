import { Option } from 'commander';

/** An option that may stand several times; its values are a list. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`)
    .default([], 'none')
    .argParser((value: string, before: string[]) => [...before, value]);
}
