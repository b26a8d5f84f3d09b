import type { ReflectionClient } from '../client';
import type { AbortPayload, AcceptPayload } from '../domain/command-payloads';
import { CliError } from './cli-error';
import { connect } from './connect';
import { describeRun } from './describe-run';
import { noWorkerText, pollerCount } from './pollers';
import { command } from './printable';

export interface SteerOptions {
  iteration?: number;
  by?: string;
  reason?: string;
  address?: string;
  namespace?: string;
}

/** `reflect accept`: ends a run with its best version, or with the current one when it is named. */
export async function accept(workflowId: string, options: SteerOptions): Promise<number> {
  const { iteration } = options;
  return steer(workflowId, options, 'accept', { ...(iteration === undefined ? {} : { iteration }), ...who(options) });
}

/** `reflect abort`: ends a run with what there is, cancelling the call in flight. */
export async function abort(workflowId: string, options: SteerOptions): Promise<number> {
  return steer(workflowId, options, 'abort', who(options));
}

function who({ by, reason }: SteerOptions): AbortPayload {
  return { ...(by === undefined ? {} : { by }), ...(reason === undefined ? {} : { reason }) };
}

async function steer(
  workflowId: string,
  options: SteerOptions,
  name: 'accept' | 'abort',
  payload: AcceptPayload & AbortPayload,
): Promise<number> {
  const client = await connect(options);
  try {
    const { running, status, taskQueue } = await describeRun(client, workflowId);
    if (!running) {
      throw new CliError(
        'RunEnded',
        `The run "${workflowId}" has ended (${status.toLowerCase()}).`,
        `See how: npx reflect show ${workflowId}`,
      );
    }
    if (await sentAsSignal(client, workflowId, taskQueue, name, payload)) return 0;
    const { best } = await client[name](workflowId, payload);
    const version = payload.iteration ?? best?.iteration;
    console.log(
      name === 'accept'
        ? `Accepted version ${version}.`
        : `Aborted${best ? `; the best was version ${best.iteration}` : ''}.`,
    );
    console.log(`The result: ${command(`npx reflect show ${workflowId}`)}`);
    return 0;
  } finally {
    await client.close();
  }
}

/** Without a worker an update finds nobody; a signal waits in the run's history. */
async function sentAsSignal(
  client: ReflectionClient,
  workflowId: string,
  taskQueue: string,
  name: string,
  payload: AcceptPayload,
): Promise<boolean> {
  if ((await pollerCount(client, taskQueue, 'workflow')) > 0) return false;
  await client.temporal.workflow.getHandle(workflowId).signal(name, payload);
  console.log(`Sent; it waits for a worker. ${noWorkerText(taskQueue)}`);
  return true;
}
