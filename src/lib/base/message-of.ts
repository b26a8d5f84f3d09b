/** Returns the text of a thrown value, even of an object that cannot be converted to a text. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'something was thrown that is no error and has no text';
  }
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}
