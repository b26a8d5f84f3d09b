import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { PlannedCommand } from './plans';
import type { CommandRecord } from './record';

type Command = Omit<PlannedCommand, 'afterMs'>;

/** Sends a command once and says what came back. Never throws: what nobody knows is `unknown`. */
export async function sendCommand(client: Client, workflowId: string, command: Command): Promise<CommandRecord> {
  const { id, name, via, iteration } = command;
  const handle = client.workflow.getHandle(workflowId);
  const payload = { id, by: 'torture', ...(iteration === undefined ? {} : { iteration }) };
  const sentAt = Date.now();
  const answered = (answer: CommandRecord['answer'], why?: string): CommandRecord => {
    return { id, name, via, workflowId, sentAt, answer, ...(why === undefined ? {} : { why }) };
  };
  try {
    if (via === 'signal') await handle.signal(name, payload);
    else await handle.executeUpdate(name, { args: [payload] });
    return answered('acknowledged');
  } catch (error) {
    const why = error instanceof WorkflowUpdateFailedError ? (error.cause?.message ?? error.message) : String(error);
    const refused = error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError;
    return answered(refused ? 'refused' : 'unknown', why);
  }
}
