import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TcpProxy } from '../../testing/torture/tcp-proxy';

describe('the proxy between workers and server', () => {
  let echo: Server;
  let proxy: TcpProxy;
  let client: Socket;

  beforeEach(async () => {
    echo = createServer((socket) => {
      socket.on('error', () => {});
      socket.pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await TcpProxy.start((echo.address() as AddressInfo).port);
    client = connect(proxy.port, '127.0.0.1');
    await once(client, 'connect');
  });
  afterEach(async () => {
    client.destroy();
    await proxy.close();
    echo.close();
  });

  test('passes on what it is given', async () => {
    client.write('hello');
    expect(String((await once(client, 'data'))[0])).toBe('hello');
  });

  test('delays, and loses nothing and no order', async () => {
    proxy.delay(200);
    const started = performance.now();
    client.write('one ');
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.write('two');
    let seen = '';
    while (seen !== 'one two') seen += String((await once(client, 'data'))[0]);
    expect(performance.now() - started).toBeGreaterThan(180);
  });

  test('resets connections', async () => {
    client.write('hello');
    await once(client, 'data');
    const failed = once(client, 'error');
    client.on('error', () => {});
    proxy.resetAll();
    expect(((await failed)[0] as NodeJS.ErrnoException).code).toBe('ECONNRESET');
  });
});
