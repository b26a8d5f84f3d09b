import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { boundedFetch } from '../../lib/fetch/bounded-fetch';
import { refusalOf } from '../../lib/fetch/errors';

/** The code of the error that replaces an answer that was too large: no server has it. */
export const TOO_LARGE_CODE = -32_987;

const bounded = boundedFetch();

function idIn(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  const { id } = JSON.parse(body) as { id?: string | number };
  return id;
}

function renderError(id: string | number, message: string): Uint8Array {
  const error = { jsonrpc: '2.0', id, error: { code: TOO_LARGE_CODE, message } };
  return Buffer.from(`\n\nevent: message\ndata: ${JSON.stringify(error)}\n\n`);
}

/** Ends a stream that is too large with an error as the answer: the SDK would wait until time is over. */
function endWithError(stream: ReadableStream<Uint8Array>, id: string | number): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        controller.enqueue(renderError(id, refusal.message));
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Fetches for MCP servers over HTTP: bounded, and a request whose stream is too large is answered by an error. */
export const answeringFetch: FetchLike = async (url, init) => {
  const response = await bounded(url, init);
  const { body, headers, status, statusText } = response;
  const id = idIn(init?.body);
  if (!body || id === undefined || !headers.get('content-type')?.includes('text/event-stream')) return response;
  return new Response(endWithError(body, id), { headers, status, statusText });
};
