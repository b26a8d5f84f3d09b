import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The next move of the model: the calls that it requests, or its text. */
export type Move =
  | { calls: { name: string; input: object }[] }
  | { text: string }
  /** A verdict that carries the code at the end of the prompt. */
  | { verdict: object };

/** A refusal in the words of a provider. */
export interface Refused {
  status: number;
  json: unknown;
}

/** The text of a move, if it is one. */
export function textOfMove(move: Move, body: object): string | undefined {
  if ('text' in move) return move.text;
  if (!('verdict' in move)) return undefined;
  const [, code] = [...JSON.stringify(body).matchAll(/ is: ([0-9a-f]{16})/g)].at(-1) ?? [];
  return JSON.stringify({ code, ...move.verdict });
}

/** A server that plays moves as a provider does. */
export interface StrictServer<Body> {
  baseUrl: string;
  /** The requests that were carried out, and those that were refused. */
  accepted: Body[];
  refusals: Refused[];
  close(): void;
}

/** Starts a server that answers the requests that it accepts, in their order. */
export async function serveStrictly<Body>(
  refuse: (body: Body) => Refused | undefined,
  answer: (body: Body, response: ServerResponse, turn: number) => void,
): Promise<StrictServer<Body>> {
  const accepted: Body[] = [];
  const refusals: Refused[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Body;
      const refusal = refuse(body);
      if (!refusal) return answer(body, response, accepted.push(body));
      refusals.push(refusal);
      return sendJson(response, refusal.json, refusal.status);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    accepted,
    refusals,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
