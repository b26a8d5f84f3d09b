import { APIError } from 'openai';
import { fieldOf } from './read-json';

const EVENT_LINE = /^\s*(?:data|event|id|retry)?:/;

const LINE_END = /\r\n|\n|\r/;

const DONE = '[DONE]';

function bodyOf(text: string, response: Response): unknown {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  const isJson = type.includes('application/json') || type.endsWith('+json');
  return isJson && text !== '' ? (JSON.parse(text) as unknown) : text;
}

/** A last line without an end is left out. The work is linear in the text, however small the pieces are. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let open: string[] = [];
  let endedWithCr = false;
  for await (const given of pieces) {
    const piece = endedWithCr && given.startsWith('\n') ? given.slice(1) : given;
    if (given !== '') endedWithCr = given.endsWith('\r');
    const lines = piece.split(LINE_END);
    open.push(lines[0]!);
    if (lines.length === 1) continue;
    lines[0] = open.join('');
    open = [lines.pop()!];
    yield lines;
  }
}

/** Makes the error of a gateway that answers with status 200 and an error; an error event in a stream gives the same class. */
export function statuslessError(error: unknown, headers?: Headers): APIError {
  const body = typeof error === 'object' && error !== null ? error : { message: JSON.stringify(error) };
  return new APIError(undefined, body, undefined, headers);
}

/** Reads the events of a stream, to its end or `[DONE]`. Throws SyntaxError, and APIError for a reported error. */
async function* eventsOf(pieces: AsyncIterable<string>, { headers }: Response): AsyncGenerator<unknown> {
  let data: string[] = [];
  for await (const lines of linesOf(pieces)) {
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      if (line !== '' || data.length === 0) continue;
      const text = data.join('\n');
      data = [];
      if (text.startsWith(DONE)) return;
      const event: unknown = JSON.parse(text);
      const error = fieldOf(event, 'error');
      if (error) throw statuslessError(error, headers);
      yield event;
    }
  }
}

async function* decodeBody(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) yield decoder.decode(bytes, { stream: true });
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/**
 * Reads the answer to a request for a stream. Endpoints that do not stream send the whole reply, and an address that is none
 * sends a page: to the vendor's client each is a stream without events. Throws SyntaxError for JSON that was cut off.
 */
export async function readStreamedOrWhole(
  response: Response,
): Promise<{ stream: AsyncIterable<unknown> } | { whole: unknown }> {
  const { body, headers } = response;
  if (headers.get('content-type')?.includes('text/event-stream') && body)
    return { stream: eventsOf(decodeBody(body), response) };
  const text = await response.text();
  // A stream under another name is read when it is there.
  if (EVENT_LINE.test(text)) return { stream: eventsOf(once(text), response) };
  return { whole: bodyOf(text, response) };
}
