import { DefaultLogger } from '@temporalio/worker';

/** Warnings and errors of the worker on stderr, without the warning that the queue of model calls has no workflows. */
export function quietLogger(): DefaultLogger {
  return new DefaultLogger('WARN', ({ timestampNanos, level, message, meta }) => {
    if (message.startsWith('No workflows registered')) return;
    const { error, ...rest } = meta ?? {};
    const cause = error instanceof Error ? ` ${error.name}: ${error.message}` : '';
    const details = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
    const time = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
    process.stderr.write(`${time} [${level}] ${message}${cause}${details}\n`);
  });
}
