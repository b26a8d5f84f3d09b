import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { MissingKeyError, ModelReplyError, StillRunningError } from '../reply-error';
import { CircuitOpenError, EndpointBusyError, EndpointHeldError } from './not-sent';

/** The failure types of model calls, with whether trying again can help. */
export const RETRYABLE = {
  Refused: false,
  Filtered: false,
  ContextLength: false,
  Unauthorized: false,
  QuotaExhausted: false,
  BadRequest: false,
  NotFound: false,
  InvalidReply: false,
  ReplyTooLarge: false,
  RateLimited: true,
  Unavailable: true,
  Timeout: true,
  Interrupted: true,
  Empty: true,
  CircuitOpen: true,
} as const;
export type ModelFailureType = keyof typeof RETRYABLE;

/** The types of errors by their code, whatever the status: gateways and streams send errors without one. */
const BY_CODE: readonly [RegExp, ModelFailureType][] = [
  [/insufficient_quota|billing|budget_exceeded/, 'QuotaExhausted'],
  [/content_filter|content_policy/, 'Filtered'],
  [/context_length|context_size/, 'ContextLength'],
  [/rate_limit/, 'RateLimited'],
  // LiteLLM without a database, asked with another key than its own.
  [/no_db_connection/, 'Unauthorized'],
];

function typeOfCode({ code, type }: APIError): ModelFailureType | undefined {
  // The types say texts, but an endpoint may have sent anything.
  const said = [code, type].filter((text) => typeof text === 'string').join(' ');
  return BY_CODE.find(([about]) => about.test(said))?.[1];
}

/** Refusals that another try meets again. Gateways pass them on with a status of their own, also 500. */
const PERMANENT: readonly [RegExp, ModelFailureType][] = [
  [
    /^(?:invalid|incorrect|missing)_api_key$|^authentication(?:_error)?$|^(?:account_deactivated|permission_(?:error|denied))$/,
    'Unauthorized',
  ],
  [/^(?:insufficient_(?:user_)?(?:quota|balance|credits?|funds)|billing_\w+|budget_exceeded)$/, 'QuotaExhausted'],
  [/^content_(?:filter|policy)\w*$/, 'Filtered'],
  [/^context_(?:length|window|size)\w*$|^prompt_too_long$/, 'ContextLength'],
  [/^(?:model|deployment)_?not_?found$|^invalid_model(?:_name)?$|^not_found_error$/, 'NotFound'],
  [
    /^(?:unsupported|unknown|invalid|missing_required)_(?:value|type|parameter|image\w*|schema|json)$|^string_above_max_length$/,
    'BadRequest',
  ],
];

/**
 * Returns the type of a failure that another attempt would meet again, by the code of an error and whatever its status;
 * undefined for any other code.
 */
export function permanentType(code: unknown): ModelFailureType | undefined {
  if (typeof code !== 'string') return undefined;
  const written = code.toLowerCase();
  return PERMANENT.find(([about]) => about.test(written))?.[1];
}

function permanentOf({ code, type }: APIError): ModelFailureType | undefined {
  return permanentType(code) ?? permanentType(type);
}

const SEARCHED_CHARACTERS = 2_000;

/** Types of errors by the words of proxies, for a code that is only a status, as LiteLLM sends it. */
const BY_TEXT: readonly [RegExp, ModelFailureType][] = [
  [
    /ContentPolicyViolationError|content_policy_violation|ResponsibleAIPolicyViolation|content management policy|as a result of (?:our|the) safety system|violating our usage policy|content_filter_policy/i,
    'Filtered',
  ],
  [
    /budget has been exceeded|BudgetExceededError|exceeded ?budget|exceeded budget|over budget|crossed budget|PaymentRequiredError|credit balance is too low|insufficient_quota/i,
    'QuotaExhausted',
  ],
  // Some providers say the same of a limit a minute, with the time to wait.
  [/^(?![\s\S]*retry (?:in|after))[\s\S]*exceeded your current quota/i, 'QuotaExhausted'],
  [
    /ContextWindowExceededError|maximum context|context (?:length|size|window|limit)|too many tokens|prompt is too long|input (?:is )?too long|maximum number of tokens allowed|maximum input length/i,
    'ContextLength',
  ],
];

function typeOfText({ message }: APIError): ModelFailureType | undefined {
  const said = message.slice(0, SEARCHED_CHARACTERS);
  return BY_TEXT.find(([about]) => about.test(said))?.[1];
}

/** The types of errors by status. For 429 and the others below 500, the code may say more. */
const BY_STATUS: Readonly<Record<number, ModelFailureType>> = {
  401: 'Unauthorized',
  402: 'QuotaExhausted',
  403: 'Unauthorized',
  404: 'NotFound',
  408: 'Timeout',
  409: 'Unavailable',
  // Not implemented: the endpoint lacks the requested feature, and waiting does not add it.
  501: 'NotFound',
};

function typeOfStatus(error: APIError, status: number): ModelFailureType {
  const type = typeOfCode(error);
  // A proxy that ran into its own limit reports any of these; if the code names the failure, the wording does not
  // count.
  const meant = type === undefined || type === 'RateLimited' ? (typeOfText(error) ?? type) : type;
  if (status === 429) return meant === 'QuotaExhausted' ? meant : 'RateLimited';
  if (status >= 500) return permanentOf(error) ?? BY_STATUS[status] ?? 'Unavailable';
  if (status === 403 && meant === 'QuotaExhausted') return meant;
  return BY_STATUS[status] ?? meant ?? 'BadRequest';
}

/** Types an error with status 200: gateways may have a status as code; else the answer did not end. */
function typeWithoutStatus(error: APIError): ModelFailureType {
  const { code } = error as { code?: unknown };
  const status = typeof code === 'string' || typeof code === 'number' ? Number(code) : Number.NaN;
  if (status >= 400 && status < 600) return typeOfStatus(error, status);
  return permanentOf(error) ?? typeOfCode(error) ?? 'Interrupted';
}

function wasCutOff(error: Error): boolean {
  const chain = [error, error.cause, (error.cause as Error | undefined)?.cause].filter(isError);
  return chain.some(
    ({ name, message }) => name === 'SyntaxError' || /terminated|premature|other side closed/i.test(message),
  );
}

/** Recognizes an error by its shape: `fetch` throws errors of another realm under jest. */
export function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'name' in error && 'message' in error;
}

/** The type of the failure of a model call, as the contract names it; undefined for an error that is not a failure of a call. */
export function failureTypeOf(error: Error): ModelFailureType | undefined {
  if (error instanceof CircuitOpenError) return 'CircuitOpen';
  if (error instanceof EndpointHeldError || error instanceof EndpointBusyError) return 'RateLimited';
  if (error instanceof ModelReplyError) return error.kind;
  if (error instanceof StillRunningError) return 'Timeout';
  if (error instanceof MissingKeyError) return 'Unauthorized';
  if (error instanceof APIConnectionTimeoutError) return 'Timeout';
  // The vendor's client throws this only before the first byte of an answer.
  if (error instanceof APIConnectionError) return 'Unavailable';
  if (error instanceof APIError) {
    return error.status === undefined ? typeWithoutStatus(error) : typeOfStatus(error, error.status);
  }
  if (error.name === 'TimeoutError') return 'Timeout';
  if (wasCutOff(error)) return 'Interrupted';
  return undefined;
}
