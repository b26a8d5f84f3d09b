/** The request of a client, as far as an error about it reports. */
export interface ClientCall {
  /** The client's method, such as `accept`. */
  method: string;
  /**
   * The kind of request: a command or a question for a worker; the end of a run; a start, a list or a connection, which the
   * server answers.
   */
  kind: 'command' | 'question' | 'result' | 'start' | 'list' | 'connect';
  /** The run that it is about; none for a list. */
  workflowId?: string;
  /** The id of the command. */
  commandId?: string;
  /** Whether the command to abort was sent because the caller ended the waiting for its result. */
  isAborted?: boolean;
}

const of = ({ workflowId }: ClientCall): string => (workflowId === undefined ? '' : ` for the run "${workflowId}"`);

const WHAT_NOW: Record<ClientCall['kind'], (call: ClientCall) => string> = {
  command: ({ commandId }) =>
    'Whether it takes effect is not known yet. Look at the run once a worker is up, ' +
    (commandId === undefined
      ? 'before it is sent again.'
      : `or send it again with the id "${commandId}": under one id it takes effect once.`),
  question: () =>
    'It changed nothing. Is a worker of its task queue up? Ask again once there is one, or with a longer timeout.',
  result: ({ workflowId, isAborted = false }) =>
    isAborted
      ? 'The command to abort it was sent.'
      : `The run is as it was, and goes on if it has not ended: wait for it again by its id "${workflowId}".`,
  start: ({ workflowId }) =>
    `The run may have been started: look for it by its id "${workflowId}" before it is started again.`,
  list: ({ method }) => `Is the Temporal server there? "${method}" can be asked again.`,
  connect: () => 'Is the Temporal server there, and is its address right? Connect again, or with a longer timeout.',
};

const whatNow = (call: ClientCall): string => WHAT_NOW[call.kind](call);

const WHO: Record<ClientCall['kind'], string> = {
  command: 'No worker',
  question: 'No worker',
  result: 'No result',
  start: 'No server',
  list: 'No server',
  connect: 'No server',
};

function timeText(timeoutMs: number | undefined): string {
  if (timeoutMs === undefined) return '';
  return timeoutMs < 1_000 ? ` within ${timeoutMs} ms` : ` within ${timeoutMs / 1_000} s`;
}

/**
 * The error of a request without an answer in time: no worker is running, the worker is busy, the server is unavailable, or
 * the run has not ended yet.
 */
export class NoAnswerError extends Error {
  readonly type = 'NoAnswer';
  override readonly name = 'NoAnswerError';
  readonly method: string;
  readonly workflowId: string | undefined;
  /** The id of the command. If it is sent again with this id, it takes effect once. */
  readonly commandId: string | undefined;

  constructor(
    call: ClientCall,
    /** Milliseconds that the client waited; undefined if the server or a deadline of the caller ended the call. */
    readonly timeoutMs?: number,
    cause?: Error,
  ) {
    const happened = call.kind === 'result' ? `${WHO[call.kind]} came` : `${WHO[call.kind]} answered "${call.method}"`;
    const why = cause && timeoutMs === undefined ? ` (${cause.message})` : '';
    super(
      `${happened}${of(call)}${timeText(timeoutMs)}${why}. ${whatNow(call)}`,
      cause === undefined ? undefined : { cause },
    );
    this.method = call.method;
    this.workflowId = call.workflowId;
    this.commandId = call.commandId;
  }
}

function whyAborted(call: ClientCall, closed: 'before' | 'meanwhile' | undefined): string {
  if (closed === 'before')
    return `"${call.method}"${of(call)} was not sent: the client is closed. Call it before \`close\`, or connect again.`;
  const who = closed
    ? `The client was closed during "${call.method}"${of(call)}`
    : `The caller ended "${call.method}"${of(call)} by its signal`;
  return `${who}. ${whatNow(call)}`;
}

/**
 * The error of a call that the caller ended: by a signal, whose reason is `cause`, or by closing the client, also before the
 * call.
 */
export class CallAbortedError extends Error {
  readonly type = 'CallAborted';
  override readonly name = 'CallAbortedError';
  readonly method: string;
  readonly workflowId: string | undefined;
  /** The id of the command. If it is sent again with this id, it takes effect once. */
  readonly commandId: string | undefined;

  constructor(call: ClientCall, reason: unknown, closed?: 'before' | 'meanwhile') {
    super(whyAborted(call, closed), { cause: reason });
    this.method = call.method;
    this.workflowId = call.workflowId;
    this.commandId = call.commandId;
  }
}

/** The error of a start under the id of a run that exists and has not ended. */
export class AlreadyRunningError extends Error {
  readonly type = 'AlreadyRunning';
  override readonly name = 'AlreadyRunningError';

  constructor(readonly workflowId: string) {
    super(`The run "${workflowId}" is there already, and it has not ended. Choose another workflowId, or wait for it.`);
  }
}

/** The error of a start under the id of a run that has ended, if `workflowIdReusePolicy` forbids another one. */
export class AlreadyEndedError extends Error {
  readonly type = 'AlreadyEnded';
  override readonly name = 'AlreadyEndedError';

  constructor(readonly workflowId: string) {
    super(
      `The run "${workflowId}" has ended, and its id may not be used again. Read its result, or choose another workflowId.`,
    );
  }
}

/** The error of a request that the Temporal server rejected, or that did not reach it. */
export class ServerRequestError extends Error {
  readonly type = 'ServerRequestFailed';
  override readonly name = 'ServerRequestError';
  readonly method: string;
  readonly workflowId: string | undefined;

  constructor(
    call: ClientCall,
    /** The gRPC status, such as `UNAVAILABLE` or `PERMISSION_DENIED`. */
    readonly code: string,
    details: string,
    cause: Error,
  ) {
    super(`The Temporal server did not carry out "${call.method}"${of(call)}: ${code}: ${details}`, { cause });
    this.method = call.method;
    this.workflowId = call.workflowId;
  }
}
