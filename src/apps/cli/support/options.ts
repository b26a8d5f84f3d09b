import { InvalidArgumentError, Option } from 'commander';
import ms, { type StringValue } from 'ms';
import { CliError } from './cli-error';

export function whole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

export function atLeastOne(value: string): number {
  const number = whole(value);
  if (number < 1) throw new InvalidArgumentError('It must be at least 1.');
  return number;
}

/** An option that may be given several times, with a list of values; help says `byDefault` of an empty one. */
export function repeatable(flags: string, description: string, byDefault = 'none'): Option {
  return new Option(flags, `${description} (repeatable)`)
    .default([], byDefault)
    .argParser((value: string, before: string[]) => [...before, value]);
}

export function repeatableChoice(
  flags: string,
  description: string,
  choices: readonly string[],
  byDefault?: string,
): Option {
  return repeatable(flags, description, byDefault).argParser((value: string, before: string[]) => {
    if (!choices.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return [...before, value];
  });
}

/** The milliseconds of a duration. Throws CliError InvalidDuration. */
export function durationOf(text: string, such = '30d, 12h or 90m'): number {
  const milliseconds = ms(text as StringValue);
  if (typeof milliseconds === 'number' && milliseconds >= 0) return milliseconds;
  throw new CliError('InvalidDuration', `"${text}" is not a duration.`, `Such as ${such}.`);
}

/**
 * Reads a variable of the environment, or several together.
 *
 * @throws CliError InvalidSetting, which names them where `read` knows only that the value is wrong
 */
export function setting<T>(variables: readonly string[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { message } = error as Error;
    const isNamed = variables.some((variable) => message.includes(variable));
    throw new CliError(
      'InvalidSetting',
      message,
      isNamed || variables.length === 0 ? undefined : `It comes from ${variables.join(' and ')}.`,
    );
  }
}

/**
 * Creates the action of a command that loads its code when it is called, and no sooner: `reflect --help` must not wait for a
 * worker's native code. Its exit code is passed to `done`.
 */
export function exitsWith(done: (code: number) => void) {
  return <Given extends unknown[]>(load: () => (...given: Given) => Promise<number>) =>
    async (...given: Given): Promise<void> =>
      done(await load()(...given));
}

export type Exits = ReturnType<typeof exitsWith>;

/** Creates the option `--json`, which every command takes: it prints one JSON value on standard output, a failure, too. */
export function json(description = 'print JSON, and nothing else on standard output'): Option {
  return new Option('--json', `${description}; a failure as {"error": …}`);
}
