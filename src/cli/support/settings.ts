import { CliError } from './cli-error';

/**
 * What a variable of the environment, or several together, say.
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
