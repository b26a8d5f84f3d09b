const SYSTEM_CODES = new Set('ECONNREFUSED ECONNRESET ETIMEDOUT EPIPE EAI_AGAIN EHOSTUNREACH ENETUNREACH'.split(' '));

/** Codes of PostgreSQL, whole or by class: lost connections, restarts, conflicts, timeouts. */
const SQL_STATES = /^(?:08\w{3}|53300|57P0[123]|57014|40001|40P01|55P03)$/;

const CONNECTION_TROUBLE =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Returns whether an error passes by itself, or with another connection. */
export function isPassing(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return SYSTEM_CODES.has(code) || SQL_STATES.test(code);
  return typeof message === 'string' && CONNECTION_TROUBLE.test(message);
}

/** The words of pg, where they do not say what is wrong. */
const SAYS_LITTLE: readonly [RegExp, string][] = [
  [
    /^Query read timeout/,
    'PostgreSQL did not answer a statement in time: the connection is silent, or the server is busy',
  ],
  [
    /^timeout exceeded when trying to connect/,
    'no connection to PostgreSQL was free or could be made in time: the server does not answer, or all connections are busy',
  ],
  [/^Connection terminated due to connection timeout/, 'PostgreSQL could not be reached in time'],
  [
    /^canceling statement due to statement timeout/,
    'PostgreSQL gave a statement up for taking too long: it waited for a lock, or the server is busy',
  ],
];

/** Returns an error with a message that names the problem; its code stays. */
export function explainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const words = SAYS_LITTLE.find(([pattern]) => pattern.test(error.message))?.[1];
  if (words === undefined) return error;
  const { code } = error as { code?: string };
  return Object.assign(new Error(`${words} (${error.message})`, { cause: error }), code === undefined ? {} : { code });
}
