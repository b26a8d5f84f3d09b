import pc from 'picocolors';
import { InvalidSpecError, ReflectionFailedError, RunFailedError } from '../../../loop/errors/errors';
import { omitUndefined } from '../../../lib/base/defined';
import { adviceFor } from './advice';
import { printAside, writeJsonFailure } from '../terminal/say';
import { printable } from '../views/printable';
import { toError } from '../../../lib/base/message-of';

const SECRETS = ['OPENAI_API_KEY', 'TEMPORAL_API_KEY'];

function withoutSecrets(text: string): string {
  return SECRETS.reduce((safe, name) => {
    const secret = process.env[name];
    return secret && secret.length >= 6 ? safe.replaceAll(secret, `<${name}>`) : safe;
  }, text);
}

function typeOf(error: Error): string {
  const { type } = error as { type?: unknown };
  return typeof type === 'string' ? type : error.name;
}

/** Returns the server's message about a request: the SDK's own error says only which request it was. */
function fullMessage({ message, cause }: Error): string {
  const details = cause instanceof Error ? (cause as { details?: unknown }).details : undefined;
  return typeof details === 'string' && details !== '' && !message.includes(details)
    ? `${message}: ${details}`
    : message;
}

interface CommandFailure {
  type: string;
  message: string;
  advice?: string;
  problems?: unknown[];
}

function adviceOf(error: Error): string | undefined {
  const own = (error as { advice?: unknown }).advice;
  return typeof own === 'string' ? own : adviceFor(typeOf(error), fullMessage(error));
}

export function failureOf(error: Error): CommandFailure {
  const { problems } = error as { problems?: unknown };
  const failure = omitUndefined({
    type: typeOf(error),
    message: fullMessage(error),
    advice: adviceOf(error),
    problems: Array.isArray(problems) ? (problems as unknown[]) : undefined,
  });
  return JSON.parse(withoutSecrets(JSON.stringify(failure))) as CommandFailure;
}

export function reportError(thrown: unknown, json = false): void {
  const error = toError(thrown);
  const { type, message, advice } = failureOf(error);
  if (json) writeJsonFailure({ error: failureOf(error) });
  // Who pressed Ctrl-C knows.
  const said = type === 'Interrupted' ? `\n${message}` : `${pc.red(`${type}:`)} ${printable(message)}`;
  printAside(said);
  if (advice !== undefined) printAside(printable(advice));
  if (process.env['DEBUG']) printAside(withoutSecrets(printable(error.stack ?? '')));
  else if (!isExpected(error) && advice === undefined) printAside('Set DEBUG=1 to see where this came from.');
}

function isExpected(error: Error): boolean {
  return (
    typeof (error as { type?: unknown }).type === 'string' ||
    error instanceof InvalidSpecError ||
    error instanceof ReflectionFailedError ||
    error instanceof RunFailedError
  );
}
