import { DefaultLogger, type Logger } from '@temporalio/worker';
import { redact } from '../redact';

/** Fields that may be logged: inputs and failures that SDK and actions attach hold prompts and outputs. */
const ALLOWED: Record<string, string> = {
  sdkComponent: 'component',
  namespace: 'namespace',
  taskQueue: 'taskQueue',
  task_queue: 'taskQueue',
  workflowType: 'workflowType',
  workflowId: 'workflowId',
  workflow_id: 'workflowId',
  runId: 'runId',
  run_id: 'runId',
  activityType: 'activityType',
  activityId: 'activityId',
  attempt: 'attempt',
  durationMs: 'durationMs',
  // Of a worker, or of a model's circuit.
  state: 'state',
  provider: 'provider',
  model: 'model',
  failures: 'failures',
  lastFailure: 'lastFailure',
};

const LENGTH = 300;

/** Errors whose message says which run, storage or key is wrong, but never what is in a payload. */
const TELLING = new Set([
  'DeterminismViolationError',
  'StoredDataMissing',
  'StoredDataCorrupt',
  'UnknownEncryptionKey',
  'PayloadDecryptionFailed',
]);

const PRINTED_FAILURE = /\bFailure\s*\{/;

type LogFields = Record<string, unknown>;

function logFields(meta: LogFields, content: boolean): LogFields {
  const fields: LogFields = {};
  for (const [name, value] of Object.entries(meta)) {
    const allowed = ALLOWED[name];
    if (name === 'error') fields['error'] = errorField(value, content || !isAboutRun(meta), content);
    else if (allowed !== undefined && isPlain(value)) fields[allowed] = loggable(value);
    else if (content)
      fields[name] = isPlain(value) ? loggable(value) : redact(JSON.stringify(value) ?? '', { length: LENGTH });
  }
  return fields;
}

/** Returns whether a line is about a run. Failures in a run may quote its prompts; the run itself says what they were. */
function isAboutRun(meta: LogFields): boolean {
  return meta['workflowId'] !== undefined || meta['activityType'] !== undefined;
}

function errorField(error: unknown, showMessage: boolean, content: boolean): unknown {
  if (!(error instanceof Error)) {
    const text = String(error);
    return !content && PRINTED_FAILURE.test(text) ? '[failure]' : redact(text, { length: LENGTH });
  }
  const { type } = error as { type?: unknown };
  const field: LogFields = { type: typeof type === 'string' ? type : error.name };
  if (showMessage || TELLING.has(error.name)) field['message'] = redact(error.message, { length: LENGTH });
  if (content && error.cause instanceof Error) field['cause'] = errorField(error.cause, true, true);
  return field;
}

function isPlain(value: unknown): value is string | number | boolean | bigint {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
}

function loggable(value: string | number | boolean | bigint): string | number | boolean {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' ? redact(value, { length: LENGTH }) : value;
}

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
 * (json, pretty; default: pretty on a terminal), `REFLECT_LOG_CONTENT=1`. Writes to stderr. Throws RangeError.
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
