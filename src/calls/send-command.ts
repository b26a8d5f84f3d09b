import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { protocolTextProblem } from '../lib/names/protocol-text';
import type { ClientCall } from '../loop/errors/call-errors';
import { type CommandName, type CommandPayloads, WHO_CHARACTERS } from '../loop/base/command-payloads';
import { CommandNotTakenError, CommandRefusedError, RunNotFoundError } from '../loop/errors/errors';
import type { Progress } from '../loop/contract/results';
import { withTypedErrors } from './errors/with-typed-errors';
import type { CallOptions } from './call-options';
import { firstRunOf, latestRunOf, partsOf, type RunTarget } from './run-target';
import { isBusy, isFailedPrecondition, typedError } from './errors/typed-error';

/** A run ends, or goes on in the next run of its chain, within one workflow task; these pauses make 9 s. */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_500, 3_000, 3_000];

/**
 * Returns the id of a command's update. The server answers an update whose id a run has had as it did then, after the end of
 * the run, too. So a client that sends a command again, because its answer was lost, gets that answer. An id that no command
 * may have is left to the run to refuse.
 */
function updateIdOf(name: CommandName, commandId: unknown): string {
  const isAnId = typeof commandId === 'string' && commandId.length <= WHO_CHARACTERS;
  return isAnId && protocolTextProblem(commandId) === undefined ? `${name}:${commandId}` : randomUUID();
}

export function commandUpdate<Name extends CommandName>(name: Name, payload: CommandPayloads[Name]) {
  const commandId = payload.id ?? randomUUID();
  const identified: CommandPayloads[Name] = { ...payload, id: commandId };
  return {
    commandId,
    update: { args: [identified] as [CommandPayloads[Name]], updateId: updateIdOf(name, commandId) },
  };
}

/**
 * Sends an update until it met a run that takes or refuses it. It may meet one in the very workflow task that ends it, or that
 * goes on as a new run. The server then answers that there is no such run, or that the task failed (FAILED_PRECONDITION), and has
 * applied nothing. So it is sent again under the same ids: that of the update, which the server knows within a run, and that of
 * the command, which the loop knows over its whole chain. It is also sent again where others send so much at once that the
 * server takes no more.
 * @param whereGone is asked where there is no such run; what it throws ends the attempts
 */
export async function sendUntilTaken<Answer>(
  call: ClientCall,
  name: string,
  signal: AbortSignal,
  send: (attempt: number) => Promise<Answer>,
  whereGone?: () => Promise<void>,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      const refusal = typedError(error, call);
      const isNotThere = refusal instanceof RunNotFoundError;
      const isFull = isBusy(error);
      if (!isNotThere && !isFull && !isFailedPrecondition(error)) throw refusal;
      if (isNotThere) await whereGone?.();
      const pause = PAUSES_MS[attempt];
      if (pause === undefined) throw isFull ? refusal : new CommandNotTakenError(call.workflowId ?? '', name);
      // Many that were refused at once do not come again at once.
      await sleep(isFull ? pause * (1 + Math.random()) : pause, undefined, { signal });
    }
  }
}

/** Milliseconds after which a command whose update has no answer goes as a signal, too. */
const SIGNAL_AFTER_MS = 1_000;

/**
 * Sends a command as a signal, too, unless its update is answered soon. A server takes a few updates of a run at once and refuses the
 * others, which come again later and later: while others send many, one that ends the run may not get through for long. A signal does
 * at once. Under one id the command takes effect once.
 */
function signalBeside(
  handle: WorkflowHandle,
  name: string,
  args: [unknown],
): { readonly isSent: boolean; stop(): void } {
  let isSent = false;
  const send = (): void => {
    isSent = true;
    // What keeps it from being sent keeps the update from it, too, which says why.
    handle.signal(name, ...args).catch(() => undefined);
  };
  const timer = setTimeout(send, SIGNAL_AFTER_MS).unref();
  return {
    get isSent() {
      return isSent;
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Sends a command as an update, and waits for the progress of the run once it took effect. Throws CommandRefusedError with the
 * run's reason, or because it has ended; RunNotFoundError; CommandNotTakenError when the run is there and its workflow tasks go
 * on failing; NoAnswerError, CallAbortedError, ServerRequestError.
 */
export async function sendCommand<Name extends CommandName>(
  temporal: Client,
  run: RunTarget,
  name: Name,
  payload: CommandPayloads[Name],
  options: CallOptions = {},
): Promise<Progress> {
  const { workflowId } = partsOf(run);
  const { commandId, update } = commandUpdate(name, payload);
  const call: ClientCall = { method: name, kind: 'command', workflowId, commandId };
  return withTypedErrors(temporal, call, options, async (signal) => {
    const firstExecutionRunId = await firstRunOf(temporal, run);
    const handle = temporal.workflow.getHandle(workflowId, undefined, { firstExecutionRunId });
    const send = () => handle.executeUpdate<Progress, [CommandPayloads[Name]]>(name, update);
    const beside = name === 'abort' ? signalBeside(handle, name, update.args) : undefined;
    try {
      // A run whose task failed is asked again even if it has ended by now: it may know the command.
      return await sendUntilTaken(call, name, signal, send, async () => {
        if (!(await latestRunOf(temporal, run)).isRunning) throw new CommandRefusedError('the run has ended');
      });
    } catch (error) {
      if (!(error instanceof CommandRefusedError) || !beside?.isSent) throw error;
      const progress = await handle.query<Progress>('progress');
      if (progress.convergenceReason !== 'aborted') throw error;
      return progress;
    } finally {
      beside?.stop();
    }
  });
}
