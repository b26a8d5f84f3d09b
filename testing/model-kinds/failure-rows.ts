import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';

/** A way for a model call to fail, and what comes of it at the third attempt, without jitter. */
export interface FailureRow {
  entry: ScriptEntry;
  /** Failure type, without `Model.`. */
  type: string;
  /** Milliseconds until the next attempt. Undefined: it is not retried. */
  delay?: number;
  stream?: boolean;
  timeoutMs?: number;
}

export const PERMANENT_FAILURES: Record<string, FailureRow> = {
  'a refusal': { entry: { refusal: 'I cannot help with that.' }, type: 'Refused' },
  'a refusal in a stream': { entry: { refusal: 'I cannot.' }, type: 'Refused', stream: true },
  'a filtered reply': { entry: { reply: '', finishReason: 'content_filter' }, type: 'Filtered' },
  'a filtered prompt': { entry: { status: 400, error: { code: 'content_filter' } }, type: 'Filtered' },
  'a prompt that is too long': {
    entry: { status: 400, error: { code: 'context_length_exceeded' } },
    type: 'ContextLength',
  },
  'a prompt that is too long, in words': {
    entry: { status: 400, error: { message: 'the request exceeds the available context size' } },
    type: 'ContextLength',
  },
  '413 that says so': { entry: { status: 413, error: { message: 'Too many tokens.' } }, type: 'ContextLength' },
  '413 of a gateway': { entry: { status: 413, body: '<h1>Payload too large</h1>' }, type: 'BadRequest' },
  '400': { entry: { status: 400 }, type: 'BadRequest' },
  '422': { entry: { status: 422 }, type: 'BadRequest' },
  '401': { entry: { status: 401 }, type: 'Unauthorized' },
  '403': { entry: { status: 403 }, type: 'Unauthorized' },
  '402': { entry: { status: 402 }, type: 'QuotaExhausted' },
  '429 with no quota left': {
    entry: { status: 429, headers: { 'retry-after': '1' }, error: { code: 'insufficient_quota' } },
    type: 'QuotaExhausted',
  },
  '404': { entry: { status: 404 }, type: 'NotFound' },
  ...passedOn(500, 'invalid_api_key', 'Unauthorized'),
  ...passedOn(500, 'insufficient_quota', 'QuotaExhausted'),
  ...passedOn(503, 'billing_hard_limit_reached', 'QuotaExhausted'),
  ...passedOn(502, 'context_length_exceeded', 'ContextLength'),
  ...passedOn(503, 'model_not_found', 'NotFound'),
  ...passedOn(500, 'DeploymentNotFound', 'NotFound'),
  ...passedOn(500, 'unsupported_value', 'BadRequest'),
  ...passedOn(500, 'content_filter', 'Filtered'),
};

/** A refusal that a gateway passes on with the status of an outage. */
function passedOn(status: number, code: string, type: string): Record<string, FailureRow> {
  return { [`${code} with status ${status}`]: { entry: { status, error: { code } }, type } };
}

export const RETRIED_FAILURES: Record<string, FailureRow> = {
  '429': { entry: { status: 429 }, type: 'RateLimited', delay: 4_000 },
  '429 with Retry-After in seconds': {
    entry: { status: 429, headers: { 'retry-after': '7' } },
    type: 'RateLimited',
    delay: 7_000,
  },
  '429 with a Retry-After longer than any backoff': {
    entry: { status: 429, headers: { 'retry-after': '120' } },
    type: 'RateLimited',
    delay: 120_000,
  },
  '429 with retry-after-ms': {
    entry: { status: 429, headers: { 'retry-after-ms': '1500', 'retry-after': '9' } },
    type: 'RateLimited',
    delay: 1_500,
  },
  '429 with a Retry-After without bounds': {
    entry: { status: 429, headers: { 'retry-after': '9'.repeat(400) } },
    type: 'RateLimited',
    delay: 86_400_000,
  },
  '429 with retry-after-ms without end': {
    entry: { status: 429, headers: { 'retry-after-ms': 'Infinity' } },
    type: 'RateLimited',
    delay: 86_400_000,
  },
  '429 with Retry-After 0': {
    entry: { status: 429, headers: { 'retry-after': '0' } },
    type: 'RateLimited',
    delay: 4_000,
  },
  '429 with an unreadable Retry-After': {
    entry: { status: 429, headers: { 'retry-after': 'soon' } },
    type: 'RateLimited',
    delay: 4_000,
  },
  '503 with Retry-After': {
    entry: { status: 503, headers: { 'retry-after': '3' } },
    type: 'Unavailable',
    delay: 3_000,
  },
  '500': { entry: { status: 500 }, type: 'Unavailable', delay: 4_000 },
  '500 with a code that says nothing': {
    entry: { status: 500, error: { code: 'server_error', type: 'invalid_request_error' } },
    type: 'Unavailable',
    delay: 4_000,
  },
  '502 with a gateway’s page': {
    entry: { status: 502, body: '<html>Bad gateway</html>' },
    type: 'Unavailable',
    delay: 4_000,
  },
  '409': { entry: { status: 409 }, type: 'Unavailable', delay: 4_000 },
  '408': { entry: { status: 408 }, type: 'Timeout', delay: 4_000 },
  'a reset before the answer': { entry: { fault: 'reset' }, type: 'Unavailable', delay: 4_000 },
  'no answer in time': { entry: { fault: 'hang' }, type: 'Timeout', delay: 4_000, timeoutMs: 150 },
  'a body that stalls': { entry: { fault: 'stall', reply: 'half' }, type: 'Timeout', delay: 4_000, timeoutMs: 150 },
  'a stream that stalls': {
    entry: { fault: 'stall', reply: 'half' },
    type: 'Timeout',
    delay: 4_000,
    timeoutMs: 150,
    stream: true,
  },
  'a body that breaks off': { entry: { fault: 'truncate', reply: 'long enough' }, type: 'Interrupted', delay: 4_000 },
  'a body that ends early': {
    entry: { fault: 'truncate', reply: 'long enough', clean: true },
    type: 'Interrupted',
    delay: 4_000,
  },
  'a stream that breaks off': {
    entry: { fault: 'truncate', reply: 'long enough' },
    type: 'Interrupted',
    delay: 4_000,
    stream: true,
  },
  'a stream that ends early': {
    entry: { fault: 'truncate', reply: 'long enough', clean: true },
    type: 'Interrupted',
    delay: 4_000,
    stream: true,
  },
  'an empty reply': { entry: { reply: '' }, type: 'Empty', delay: 4_000 },
  'an empty stream': { entry: { reply: '' }, type: 'Empty', delay: 4_000, stream: true },
};
