import { APIError } from 'openai';
import { refusalOf } from '../../fetch/errors';
import { ModelCallError } from '../own/model-call-error';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Errors of the AI SDK that are not answers of a provider, by name: there may be several copies. */
const BY_NAME: Readonly<Record<string, ModelCallError['type']>> = {
  AI_LoadAPIKeyError: 'Unauthorized',
  AI_LoadSettingError: 'BadRequest',
  AI_NoSuchModelError: 'NotFound',
  AI_UnsupportedFunctionalityError: 'BadRequest',
  AI_InvalidPromptError: 'BadRequest',
  AI_InvalidArgumentError: 'BadRequest',
  AI_TooManyEmbeddingValuesForCallError: 'BadRequest',
  AI_EmptyResponseBodyError: 'Empty',
  AI_NoContentGeneratedError: 'Empty',
  AI_InvalidResponseDataError: 'Empty',
  AI_TypeValidationError: 'Empty',
  AI_JSONParseError: 'Interrupted',
};

export function answeredByPage(): ModelCallError {
  return new ModelCallError('NotFound', 'The address answered with a page, not with a model: is the base URL right?');
}

export function errorInside(answer: unknown): Error | undefined {
  const told = isObject(answer) ? answer['error'] : undefined;
  return isObject(told) ? new APIError(undefined, told, undefined, undefined) : undefined;
}

/** Returns the error for an answer with status 200 that is not a reply: a page, an error of a gateway, or half of a reply. */
function unreadable(message: string, body: unknown, cause: unknown): Error {
  if (typeof body !== 'string') return new ModelCallError('Interrupted', message, { cause });
  try {
    const parsed: unknown = JSON.parse(body);
    return errorInside(parsed) ?? new ModelCallError('Empty', message, { cause });
  } catch {
    if (/^\s*[[{]/.test(body)) return new ModelCallError('Interrupted', 'The reply ended in the middle.', { cause });
    return answeredByPage();
  }
}

function messageField(error: Fields): string {
  return typeof error['message'] === 'string' ? error['message'] : 'The call failed.';
}

/**
 * Converts an error of a model of the AI SDK to an error with a type, if it says more than its type: errors with a
 * status of 400 and above, and those of connections and signals, are read where all thrown errors are.
 */
export function typedError(error: unknown): unknown {
  if (!isObject(error) || refusalOf(error)) return error;
  const { name, statusCode, responseBody, cause } = error;
  if (name === 'AI_APICallError') {
    if (typeof statusCode === 'number' && statusCode >= 400) return error;
    if (typeof statusCode === 'number') return unreadable(messageField(error), responseBody, cause ?? error);
    // No answer arrived: the connection failed.
    return new ModelCallError('Unavailable', messageField(error), { cause });
  }
  // An event of a stream that is not part of a reply.
  const inside = name === 'AI_TypeValidationError' ? errorInside(error['value']) : undefined;
  if (inside) return inside;
  const type = typeof name === 'string' && Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  return type ? new ModelCallError(type, messageField(error), { cause: error }) : error;
}
