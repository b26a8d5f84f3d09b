import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { notify } from '../../../../src/apps/cli/commands/notify';
import { CliError } from '../../../../src/apps/cli/support/cli-error';
import { waitNotification } from '../../../../src/loop/contract/notification';
import { isSigned } from '../../../../testing/support/receiver';

const SECRET = 'a-secret-that-nobody-knows';

describe('reflect notify', () => {
  let printed: string[];
  beforeEach(() => {
    printed = [];
    jest.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
    process.env['REFLECT_ALLOW_PRIVATE_ADDRESSES'] = '1';
    process.env['REFLECT_NOTIFY_SECRET'] = SECRET;
  });
  afterEach(() => {
    jest.restoreAllMocks();
    delete process.env['REFLECT_ALLOW_PRIVATE_ADDRESSES'];
    delete process.env['REFLECT_NOTIFY_SECRET'];
  });

  /** Runs the command against a receiver, and returns the message that came. */
  async function send(answer: RequestListener, json = false) {
    const texts: { headers: Record<string, unknown>; text: string }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        texts.push({ headers: request.headers, text });
        answer(request, response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const code = await notify({ test: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, json });
      return { code, messages: texts };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('sends one signed message that a receiver can read, and prints the answer', async () => {
    const { code, messages } = await send((_request, response) => response.writeHead(202).end('got\u001b[2J it'));
    expect([code, printed]).toEqual([0, ['The receiver took it: 202, "got\ufffd[2J it".']]);
    expect(messages).toHaveLength(1);
    expect(isSigned(messages[0] as never, SECRET)).toBe(true);
    const body: unknown = JSON.parse(messages[0]!.text);
    expect(waitNotification.parse(body)).toEqual(body);
  });

  test('prints as JSON what a receiver answers whose body does not end', async () => {
    const { code } = await send((_request, response) => void response.writeHead(200).write('got it'), true);
    expect([code, JSON.parse(printed[0]!)]).toEqual([0, { status: 200, text: 'got it' }]);
  });

  test('fails with the answer of a receiver that refuses the message', async () => {
    const refused = send((_request, response) => response.writeHead(401).end('bad signature'));
    await expect(refused).rejects.toThrow(CliError);
    await expect(refused).rejects.toThrow(/answered 401: bad signature/);
  });

  test('fails without a secret that can sign', async () => {
    process.env['REFLECT_NOTIFY_SECRET'] = 'whsec_';
    await expect(notify({ test: 'http://127.0.0.1:1/' })).rejects.toThrow(/secret that can be guessed/);
  });
});
