import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { oneLine } from './printable';

/**
 * Makes the worker's runtime say on stderr, in one line each, what goes wrong, and nothing else. Who calls this ends the
 * workers at Ctrl-C. Call it before the first worker or native connection is made.
 */
export function installQuietRuntime(level: 'WARN' | 'ERROR' = 'WARN'): void {
  Runtime.install({
    logger: oneLineLogger(level),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}

function oneLineLogger(lowest: 'WARN' | 'ERROR'): DefaultLogger {
  return new DefaultLogger(lowest, ({ timestampNanos, level, message, meta }) => {
    // That is so by design: the second queue is for model calls.
    if (message.startsWith('No workflows registered')) return;
    const { error, workflowId, activityType, attempt } = meta ?? {};
    const cause = error instanceof Error ? `: ${oneLine(error.message, 400)}` : '';
    const about = Object.entries({ workflowId, activityType, attempt }).filter(([, value]) => value !== undefined);
    const details = about.map(([name, value]) => ` ${name}=${String(value)}`).join('');
    const time = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
    process.stderr.write(`${time} [${level}] ${message}${cause}${details}\n`);
  });
}
