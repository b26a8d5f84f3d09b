import { ApplicationFailure } from '@temporalio/common';
import type { ActionRegistry } from '../../actions/types';
import { withTimeout } from '../../lib/timeout';
import { currentContext } from './checks';

/** The time limit of one attempt to ask servers for their tools. A run takes no command during an attempt, and takes them between two. */
const LEARN_MS = 2_000;
/** The time after which a run that begins no longer waits for a server that does not answer. */
const WAIT_MS = 5 * 60_000;
/** The form of the names of servers' tools, the only names that a worker has to ask for. */
const LEARNED = /^mcp\.[\w-]{1,32}\.\S{1,256}$/;

/**
 * Lists the texts inside a value that may be names to be learned; a name in another place does no harm. The value has not
 * been checked: it may be nested deeper than a stack is.
 */
function namesIn(value: unknown): Set<string> {
  const names = new Set<string>();
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && LEARNED.test(next)) names.add(next);
    else if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) left.push(inner);
  }
  return names;
}

/**
 * Returns the milliseconds since this check was first scheduled on the task queue; 0 for a local activity, whose retries the
 * workflow counts.
 */
function waitedMs(): number {
  const { info } = currentContext() ?? {};
  if (!info || info.isLocal) return 0;
  return info.currentAttemptScheduledTimestampMs - info.scheduledTimestampMs;
}

function permanent({ type, message }: ApplicationFailure): ApplicationFailure {
  return ApplicationFailure.create({ type: type ?? undefined, message, nonRetryable: true });
}

/**
 * Asks the servers that a spec names for their tools, before the spec is checked. While a server does not answer, the check
 * is retried for some minutes.
 *
 * @throws ApplicationFailure when a server is away
 */
export async function learnActions(spec: unknown, { actions }: { actions: ActionRegistry }): Promise<void> {
  const names = [...namesIn(spec)];
  if (names.length === 0) return;
  await withTimeout(LEARN_MS, currentContext()?.cancellationSignal, async (signal, isTimeUp) => {
    try {
      await actions.learn(names, signal);
    } catch (error) {
      const servers = [...new Set(names.map((name) => JSON.stringify(name.split('.')[1])))].join(' or ');
      const late = { type: 'Mcp.Unavailable', message: `MCP server ${servers} has not listed its tools yet` };
      const failure = isTimeUp() ? ApplicationFailure.create({ ...late, nextRetryDelay: '3s' }) : error;
      if (!(failure instanceof ApplicationFailure)) throw failure;
      // A server that is there and says nothing is not one that comes back.
      throw failure.type === 'Mcp.Timeout' || waitedMs() > WAIT_MS ? permanent(failure) : failure;
    }
  });
}
