import { failureTypeOf, isError } from '../circuits/failure-type';
import { ModelReplyError } from '../reply-error';

/** The errors of code that meets a value of another shape than it takes for granted; also those of the vendor's client. */
const TRIPPED = ['TypeError', 'RangeError', 'ReferenceError'];

/**
 * Makes a call, and reports an answer of an unusable shape by its reason.
 *
 * @throws ModelReplyError `NotFound` for such an answer, and whatever else the call throws
 */
export async function callAnyShape<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isError(error) || !TRIPPED.includes(error.name) || failureTypeOf(error)) throw error;
    const message = 'The address answered with something that is not of the protocol: is the base URL right?';
    throw new ModelReplyError('NotFound', message);
  }
}
