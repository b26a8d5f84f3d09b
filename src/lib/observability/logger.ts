import { DefaultLogger, type Logger } from '@temporalio/worker';
import { type LogFields, logFields } from './log-fields';
import { redact } from '../redact';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const;
/** `off` says nothing at all. */
export type LogLevelName = (typeof LEVELS)[number];

export interface LoggerOptions {
  level: LogLevelName;
  /** `json`: one object a line. `pretty`: human-readable. */
  format: 'json' | 'pretty';
  /** Also messages of failures, and what actions attach: both may hold prompts and outputs. */
  content: boolean;
  write: (line: string) => void;
}

/** Matches an expected warning: the second queue is for model calls. */
const EXPECTED = /^No workflows registered/;

// A vendor's words may hold escape sequences that move the cursor of the reader.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Reads the settings of the log from the environment: `REFLECT_LOG` (trace, debug, info, warn, error, off), `REFLECT_LOG_FORMAT`
 * (json, pretty; default: pretty on a terminal), `REFLECT_LOG_CONTENT=1`. Writes to stderr.
 *
 * @throws RangeError
 */
export function loggerOptionsFrom(env: NodeJS.ProcessEnv, defaultLevel: LogLevelName = 'warn'): LoggerOptions {
  const level = env['REFLECT_LOG'] || defaultLevel;
  const format = env['REFLECT_LOG_FORMAT'] || (process.stderr.isTTY ? 'pretty' : 'json');
  if (!isLevel(level)) throw new RangeError(`REFLECT_LOG must be one of ${LEVELS.join(', ')}, and is "${level}"`);
  if (format !== 'json' && format !== 'pretty') {
    throw new RangeError(`REFLECT_LOG_FORMAT must be json or pretty, and is "${format}"`);
  }
  return { level, format, content: env['REFLECT_LOG_CONTENT'] === '1', write: (line) => process.stderr.write(line) };
}

function isLevel(text: string): text is LogLevelName {
  return LEVELS.includes(text as LogLevelName);
}

/**
 * Creates a logger for Temporal's runtime, and so for all messages of worker, SDK and actions. Keys are never shown, texts are
 * cut, and unless `content` is set neither prompts nor outputs nor a vendor's messages about them.
 */
export function createLogger({ level, format, content, write }: LoggerOptions): Logger {
  if (level === 'off') return new DefaultLogger('ERROR', () => undefined);
  return new DefaultLogger(level.toUpperCase() as 'WARN', ({ timestampNanos, level: ofEntry, message, meta }) => {
    if (EXPECTED.test(message)) return;
    const time = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
    const text = redact(message);
    const fields = logFields((meta ?? {}) as LogFields, content);
    write(format === 'json' ? `${JSON.stringify({ time, level: ofEntry, message: text, ...fields })}\n` : pretty());

    function pretty(): string {
      const details = Object.entries(fields).map(([name, value]) => ` ${name}=${renderValue(value)}`);
      return `${time} [${ofEntry}] ${text}${details.join('')}`.replace(CONTROL, '\ufffd') + '\n';
    }
  });
}

function renderValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
