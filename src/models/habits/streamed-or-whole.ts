import type { OpenAI } from 'openai';
import { Stream } from 'openai/core/streaming';

/** What begins a line of an event stream. */
const EVENT_LINE = /^\s*(?:data|event|id|retry)?:/;

/** The body as the vendor's client hands over one that is not streamed: JSON where it calls itself so, else its text. */
function bodyOf(text: string, response: Response): unknown {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  const isJson = type.includes('application/json') || type.endsWith('+json');
  return isJson && text !== '' ? (JSON.parse(text) as unknown) : text;
}

/**
 * What a request for a stream was answered with. Endpoints that do not stream send the whole reply, and an address that is none
 * sends a page: to the vendor's client each is a stream without events.
 *
 * @throws SyntaxError for JSON that was cut off
 */
export async function streamedOrWhole(
  client: OpenAI,
  { data, response }: { data: AsyncIterable<unknown>; response: Response },
): Promise<{ stream: AsyncIterable<unknown> } | { whole: unknown }> {
  if (response.headers.get('content-type')?.includes('text/event-stream')) return { stream: data };
  const text = await response.text();
  if (!EVENT_LINE.test(text)) return { whole: bodyOf(text, response) };
  // A stream under another name is read when it is there.
  return { stream: Stream.fromSSEResponse(new Response(text), new AbortController(), client) };
}
