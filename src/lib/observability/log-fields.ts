import { redact } from '../redact';

/**
 * The fields of a log line that may name its source. A list of what is allowed, because what SDK and actions attach (inputs,
 * whole failures) holds prompts and outputs.
 */
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

/**
 * Names of errors whose message says which run, storage or key is wrong, never what is in a payload, and without which no
 * operator can act.
 */
const TELLING = new Set([
  'DeterminismViolationError',
  'StoredDataMissing',
  'StoredDataCorrupt',
  'UnknownEncryptionKey',
  'PayloadDecryptionFailed',
]);

/** How the SDK's core prints a failure of a run, vendors' messages included. */
const PRINTED_FAILURE = /\bFailure\s*\{/;

export type LogFields = Record<string, unknown>;

/** Returns the fields of a log line. `content` adds messages of failures, and everything else that was attached. */
export function logFields(meta: LogFields, content: boolean): LogFields {
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
