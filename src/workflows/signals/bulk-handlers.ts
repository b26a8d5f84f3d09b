import type { PayloadConverter } from '@temporalio/common';
import { COMMAND_NAMES } from '../../loop/base/command-payloads';
import { BULK } from './bulk-signals';

interface Activator {
  payloadConverter: PayloadConverter;
  signalHandlers: ReadonlyMap<string, { handler: (payload: unknown) => unknown }>;
  interceptors: { inbound: readonly { handleSignal?: unknown }[] };
}

type Jobs = NonNullable<
  Parameters<
    NonNullable<import('@temporalio/workflow').WorkflowInternalsInterceptor['activate']>
  >[0]['activation']['jobs']
>;

/** Handlers of ours. They end at once, so that nothing has to be kept of a call of theirs. */
const quick = new WeakSet<object>();

function activatorOfRun(): Activator | undefined {
  return (globalThis as { __TEMPORAL_ACTIVATOR__?: Activator }).__TEMPORAL_ACTIVATOR__;
}

/** Lets the commands that a user's own workflow takes for a loop be taken in bulk. Call it when their handlers are set. */
export function takeCommandsInBulk(): void {
  const handlers = activatorOfRun()?.signalHandlers;
  for (const name of COMMAND_NAMES) {
    const handler = handlers?.get(name)?.handler;
    if (handler) quick.add(handler);
  }
}

/**
 * Takes the signals for which there are handlers of ours, if one activation has many of them, and gives the other jobs to
 * the SDK. All other signals are the workflow's own; and where a user's interceptor handles signals, all are.
 */
export function withoutCommandsInBulk(jobs: Jobs): Jobs {
  if (jobs.filter(({ signalWorkflow }) => signalWorkflow).length <= BULK) return jobs;
  const run = activatorOfRun();
  if (!run || run.interceptors.inbound.some(({ handleSignal }) => handleSignal !== undefined)) return jobs;
  return jobs.filter(({ signalWorkflow: signal }) => {
    const handler = signal?.signalName ? run.signalHandlers.get(signal.signalName)?.handler : undefined;
    if (!handler || !quick.has(handler)) return true;
    const [payload] = signal?.input ?? [];
    let read: unknown;
    try {
      read = payload && run.payloadConverter.fromPayload(payload);
    } catch {
      // The SDK handles a payload that cannot be decoded.
      return true;
    }
    handler(read);
    return false;
  });
}
