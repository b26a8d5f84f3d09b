import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { ClientCall } from '../loop/errors/call-errors';
import type { Progress } from '../loop/contract/results';
import type { ReflectionSpecInput } from '../loop/contract/short-spec';
import type { CommandName, CommandPayloads } from '../loop/base/command-payloads';
import type { RunReference, StartOptions } from '../calls/call-options';
import { commandUpdate, sendUntilTaken } from '../calls/send-command';
import { startListed } from '../calls/started-attributes';
import { withTypedErrors } from '../calls/errors/with-typed-errors';
import { describeStart, type Place, runThereAlready } from '../calls/run-kind';
import { RUN_KINDS } from '../kinds/list/client';

/** A command by its name, with its payload. */
export type FirstCommand = { [Name in CommandName]: { name: Name; payload: CommandPayloads[Name] } }[CommandName];

/** A run that was started with a command, or was there already and took it. */
export interface StartedWithUpdate extends RunReference {
  /** The progress of the run once the command took effect. */
  progress: Progress;
}

/** Starts a loop, or finds the one that has the id, and sends it a command. The server does both or says why not. */
export async function startWithUpdate(
  place: Place,
  given: ReflectionSpecInput,
  { name, payload }: FirstCommand,
  { timeout, signal, ...options }: StartOptions,
): Promise<StartedWithUpdate> {
  const { temporal } = place;
  const { workflowId, type, startWith } = describeStart(RUN_KINDS.loop, place, given, options);
  const { workflowIdConflictPolicy = 'USE_EXISTING', typedSearchAttributes: own } = options;
  const { commandId, update } = commandUpdate(name, payload);
  const call: ClientCall = { method: 'startWithUpdate', kind: 'command', workflowId, commandId };
  const send = async (attributes: StartOptions['typedSearchAttributes'], attempt: number) => {
    const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(type, {
      ...startWith(attributes),
      // The run of an attempt whose answer was lost is there.
      workflowIdConflictPolicy: attempt === 0 ? workflowIdConflictPolicy : 'USE_EXISTING',
    });
    const how = { ...update, startWorkflowOperation };
    const progress = await temporal.workflow.executeUpdateWithStart<Workflow, Progress, [typeof payload]>(name, how);
    const { firstExecutionRunId } = (await startWorkflowOperation.workflowHandle()) as { firstExecutionRunId?: string };
    return { workflowId, runId: firstExecutionRunId!, progress };
  };
  const start = (attempt: number) =>
    runThereAlready(temporal, workflowId, () =>
      startListed(temporal, 'loop', own, (attributes) => send(attributes, attempt)),
    );
  return withTypedErrors(temporal, call, { timeout, signal }, (over) => sendUntilTaken(call, name, over, start));
}
