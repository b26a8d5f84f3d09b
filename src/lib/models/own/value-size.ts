import { AnswerTooLarge, MOST_ANSWER_BYTES } from '../../fetch/errors';
import { fieldOf, listIn } from '../habits/read-json';
import { assertFewCalls, assertFewParts, ReadBytes } from '../habits/reply-size';

/** Values of all vectors of one call: some hundred texts with some thousand each. */
const MOST_NUMBERS = 4_000_000;

/**
 * Looks at the size of a reply that the code of a worker's owner gave, before anything else does: its text, and its calls of
 * tools. Their arguments may be values, which are measured where they become texts. Throws AnswerTooLarge.
 */
export function assertSmallReply(reply: unknown): void {
  const bytes = new ReadBytes(MOST_ANSWER_BYTES);
  const text = fieldOf(reply, 'text');
  if (typeof text === 'string') bytes.add(text);
  const calls = listIn(reply, 'toolCalls');
  assertFewCalls(calls.length);
  for (const call of calls) {
    const given = [fieldOf(call, 'id'), fieldOf(call, 'name'), fieldOf(call, 'arguments')];
    bytes.add(...given.filter((each) => typeof each === 'string'));
  }
  assertFewParts(listIn(reply, 'warnings').length);
}

/** Checks the size of the content of a model of the AI SDK. Throws AnswerTooLarge. */
export function assertSmallContent(result: unknown): void {
  const bytes = new ReadBytes(MOST_ANSWER_BYTES);
  const content = listIn(result, 'content');
  assertFewParts(content.length);
  for (const part of content) {
    const given = [fieldOf(part, 'text'), fieldOf(part, 'input')];
    bytes.add(...given.filter((each) => typeof each === 'string'));
  }
  assertFewParts(listIn(result, 'warnings').length);
}

/** Checks the size of vectors: not many more than there are texts, and not too many numbers. Throws AnswerTooLarge. */
export function assertSmallVectors(vectors: readonly unknown[]): void {
  assertFewParts(vectors.length);
  let numbers = 0;
  for (const vector of vectors) numbers += Array.isArray(vector) ? vector.length : 0;
  if (numbers > MOST_NUMBERS) throw new AnswerTooLarge(`has more than ${MOST_NUMBERS} numbers`, 0);
}
