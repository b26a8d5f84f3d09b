import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WaitNotification } from '../../src/loop/contract/notification';

/** A message as a receiver got it. */
export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: WaitNotification;
}

/** Checks a signature as a receiver would that knows Standard Webhooks and nothing of this package. */
export function isSigned({ headers, text }: Pick<Received, 'headers' | 'text'>, key: string | Buffer): boolean {
  const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${text}`;
  const wanted = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => each.split(',', 2))
    .some(([version, value = '']) => {
      const given = Buffer.from(value, 'base64');
      return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
    });
}

/** A receiver of notifications. */
export interface TestReceiver {
  url: string;
  received: Received[];
  /** Those about runs whose id begins with a text. */
  about(workflowId: string): Received[];
  close(): Promise<void>;
}

/**
 * Starts a receiver on this machine.
 *
 * @param answer the status with which it answers a message; `undefined`: it never answers
 */
export async function startReceiver(
  answer: (message: Received, received: readonly Received[]) => number | undefined = () => 204,
): Promise<TestReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const message = { headers: request.headers, text, body: JSON.parse(text) as WaitNotification };
      received.push(message);
      const status = answer(message, received);
      if (status !== undefined) response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/path-of-nobody`,
    received,
    about: (workflowId) =>
      received.filter(({ body }) => body.data.waits.some((wait) => wait.workflowId.startsWith(workflowId))),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
