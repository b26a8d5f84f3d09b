import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
/** Type and class, after the name and its end. */
const REST_BYTES = 5;
/** An authoritative answer; it is `NXDOMAIN`. */
const FLAGS = 0x8583;

function refusal(query: Buffer): Buffer {
  let end = HEADER_BYTES;
  while ((query[end] ?? 0) > 0) end += query[end]! + 1;
  const answer = Buffer.from(query.subarray(0, end + REST_BYTES));
  answer.writeUInt16BE(FLAGS, 2);
  // No records of any kind beside the question.
  answer.fill(0, 6, HEADER_BYTES);
  return answer;
}

/**
 * Answers on 127.0.0.1 that no name exists. The engine's own server passes on what it does not know, and where nobody answers,
 * neither does it: clients of gRPC look up a TXT record first, and wait.
 */
export async function startNameServer(): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    if (query.length >= HEADER_BYTES) socket.send(refusal(query), port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
}
