import { heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

/** Fails, with the secret in all that a failure carries. */
export async function fail(secret: string): Promise<never> {
  heartbeat({ secret });
  throw ApplicationFailure.create({
    message: `call failed: ${secret}`,
    type: 'Model.Down',
    details: [{ secret }],
    cause: new Error(`the vendor said ${secret}`),
  });
}
