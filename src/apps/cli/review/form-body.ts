/** The maximum size of a form in bytes. An output has at most some 2 MB, and a form may write a byte as three. */
const MOST_BYTES = 8 * 1024 * 1024;

/** A form that is not read. `status`: of the answer. */
export class FormError extends Error {
  constructor(
    readonly status: 413 | 415,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads the fields of a form.
 *
 * @throws FormError where it is too large, or none
 */
export async function formBody({ headers, body }: Request): Promise<URLSearchParams> {
  const [type] = (headers.get('content-type') ?? '').split(';');
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new FormError(415, 'This is no form of these pages.');
  const tooLarge = new FormError(413, `The form has more than ${MOST_BYTES / 1024 / 1024} MiB. Nothing was sent.`);
  if (Number(headers.get('content-length') ?? 0) > MOST_BYTES) throw tooLarge;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw tooLarge;
    pieces.push(piece);
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
}
