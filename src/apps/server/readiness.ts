import { Connection } from '@temporalio/client';

const DEADLINE = 2_000;

/** Returns whether a Temporal server answers there and has the namespace `default`, which comes up after the port. */
export async function canAnswer(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: DEADLINE });
    const { workflowService } = connection;
    await connection.withDeadline(Date.now() + DEADLINE, () =>
      workflowService.describeNamespace({ namespace: 'default' }),
    );
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}
