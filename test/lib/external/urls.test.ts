import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Holds } from '../../../src/lib/limits/holds';
import {
  ExternalCallFailed,
  type ExternalCalls,
  ExternalUnavailable,
  hostEntryProblem,
  postJson,
  urlProblem,
} from '../../../src/lib/external';
import { isPublicAddress } from '../../../src/lib/external/public-address';

/** What the server was sent. */
const received: { method: string | undefined; type: string | undefined; body: unknown; host: string | undefined }[] =
  [];
let answer: RequestListener;
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({
        method: request.method,
        type: request.headers['content-type'],
        body: JSON.parse(text) as unknown,
        host: request.headers.host?.replace(/:\d+$/, ''),
      });
      answer(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => received.splice(0));
/** What was sent to a name. A call that an earlier test gave up may still arrive, for another. */
const sentTo = (name: string) => received.filter(({ host }) => host === name);

const post = (url: string, external: ExternalCalls = { allowPrivateAddresses: true }, more: object = {}) =>
  postJson(url, { body: { output: 1 }, timeoutMs: 5_000, signal: new AbortController().signal, ...more }, external);
const replying =
  (status: number, body: string, headers = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

const switching: RequestListener = ({ socket }) =>
  void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');

const PUBLIC = `8.8.8.8 1.1.1.1 100.63.255.255 172.15.0.1 172.32.0.1 192.0.1.1 223.255.255.255 2606:4700::1111
  2a00:1450:4001::1 2600::`;
const SPECIAL = `127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.255
  192.168.1.1 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1
  ::ffff:8.8.8.8 ::127.0.0.1 fe80::1 fe80::1%lo fc00::1 fd12:3456::1 ff02::1 2001:db8::1 2002:7f00:1:: 2001:0:7f00:1::
  64:ff9b::7f00:1 fec0::1 localhost 1.2.3`;

describe('which addresses are public', () => {
  test.each(PUBLIC.split(/\s+/))('%s is', (address) => expect(isPublicAddress(address)).toBe(true));
  test.each(SPECIAL.split(/\s+/))('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('what a URL may be', () => {
  test.each<[string, RegExp]>([
    ['ftp://example.com/', /https:/],
    ['file:///etc/passwd', /https:/],
    ['example.com', /no URL/],
    ['https://user:pw@example.com/', /password.*history/],
    ['https://user@example.com/', /password/],
    ['https://example.com/?api_key=1', /secret \("api_key"\)/],
    ['https://example.com/?x=1&Access-Token=1', /secret/],
    ['http://127.0.0.1/', /127\.0\.0\.1 is not public.*allowPrivateAddresses/],
    ['http://2130706433/', /127\.0\.0\.1 is not public/],
    ['http://0x7f000001/', /127\.0\.0\.1 is not public/],
    ['http://0177.0.0.1/', /127\.0\.0\.1 is not public/],
    ['http://127.1/', /127\.0\.0\.1 is not public/],
    ['http://0/', /0\.0\.0\.0 is not public/],
    ['http://169.254.169.254/latest/', /not public/],
    ['http://[::1]/', /not public/],
    ['http://[::ffff:127.0.0.1]/', /not public/],
    ['http://[::ffff:a9fe:a9fe]/', /not public/],
    ['http://localhost:80/', /not public/],
    ['http://a.LOCALHOST./', /not public/],
    ['http://\u2460\u2461\u2466.0.0.1/', /127\.0\.0\.1 is not public/],
  ])('%s is refused before the run', (url, problem) => {
    expect(urlProblem(url, {})).toMatch(problem);
  });

  test('a public one is taken, and with the worker’s leave a private one', () => {
    expect(urlProblem('https://example.com/check?lang=en', {})).toBeUndefined();
    expect(urlProblem('http://localhost:8080/', { allowPrivateAddresses: true })).toBeUndefined();
    expect(urlProblem('http://u:p@localhost:8080/', { allowPrivateAddresses: true })).toMatch(/password/);
  });
});

describe('hosts that a worker calls', () => {
  test.each<[string, hosts: string[], allowed: boolean]>([
    ['https://judge.example.com/', ['judge.example.com'], true],
    ['https://JUDGE.example.com./x?y=1', ['judge.example.com'], true],
    ['https://judge.example.com/', ['Judge.Example.com.'], true],
    ['https://other.example.com/', ['judge.example.com'], false],
    ['https://notexample.com/', ['*.example.com'], false],
    ['https://example.com/', ['*.example.com'], false],
    ['https://a.b.example.com/', ['*.example.com'], true],
    ['https://example.com.evil.org/', ['*.example.com', 'example.com'], false],
    ['https://example.com:8443/', ['example.com'], true],
    ['https://example.com:8443/', ['example.com:443'], false],
    ['https://example.com/', ['example.com:443'], true],
    ['http://example.com/', ['example.com:443'], false],
    ['http://example.com/', ['example.com:80'], true],
    ['https://xn--bcher-kva.example/', ['bücher.example'], true],
    ['https://anybody.example/', ['*'], true],
    ['https://anybody.example/', [], false],
    ['https://127.0.0.1/', ['*'], false],
    ['https://localhost/', ['localhost'], false],
  ])('%s where %j may be called: %p', async (url, hosts, allowed) => {
    expect(urlProblem(url, { hosts }) === undefined).toBe(allowed);
    // Also when it was checked elsewhere: nothing is looked up.
    const resolve = jest.fn(() => Promise.reject(new Error('looked up')));
    await expect(post(url, { hosts, resolve })).rejects.toThrow(allowed ? /looked up/ : /the URL/);
    if (!allowed) expect(resolve).not.toHaveBeenCalled();
  });

  test.each([
    ['https://[2606:4700::1111]/', '[2606:4700:0::1111]'],
    ['https://8.8.8.8/', '134744072'],
  ])('%s is %s, however it is written', (url, host) => {
    expect(urlProblem(url, { hosts: [host] })).toBeUndefined();
    expect(urlProblem(url, { hosts: ['8.8.4.4'] })).toMatch(/does not call/);
  });

  test.each([
    '',
    'a b',
    'https://a.example',
    'a.example/x',
    'a.example?x',
    'u@a.example',
    '*.*.example',
    'a.*',
    '*.',
    'a:b',
  ])('%j is no host', (entry) => expect(hostEntryProblem(entry)).toMatch(/is no host/));
});

describe('a call', () => {
  test('posts JSON and reads the answer’s JSON', async () => {
    answer = replying(200, '{"score":0.5}');
    expect(await post(`${base}/check?a=1`)).toEqual({ score: 0.5 });
    expect(received).toMatchObject([{ method: 'POST', type: 'application/json', body: { output: 1 } }]);
  });

  test.each<[string, RequestListener, typeof ExternalCallFailed | typeof ExternalUnavailable, RegExp]>([
    ['404', replying(404, 'no such check'), ExternalCallFailed, /answered 404: no such check/],
    ['401', replying(401, ''), ExternalCallFailed, /answered 401$/],
    ['500', replying(500, 'oops'), ExternalUnavailable, /answered 500: oops/],
    ['429', replying(429, '', { 'retry-after': '7' }), ExternalUnavailable, /429/],
    ['a redirect', replying(302, '', { location: 'http://169.254.169.254/' }), ExternalCallFailed, /redirects are not/],
    ['no JSON', replying(200, '<html>'), ExternalCallFailed, /answered "<html>", which is no JSON/],
    ['nothing', replying(204, ''), ExternalCallFailed, /answered nothing/],
    ['2 MiB', replying(200, `"${'x'.repeat(2 * 1024 * 1024)}"`), ExternalCallFailed, /more than 1048576 bytes/],
    ['a cut', (request) => request.socket.destroy(), ExternalUnavailable, /cannot be reached/],
    ['another protocol', switching, ExternalCallFailed, /answered 101/],
    ['silence', () => undefined, ExternalUnavailable, /did not answer within 200 ms/],
  ])('%s: %#', async (_name, behaviour, type, message) => {
    answer = behaviour;
    const failure = await post(`${base}/check?who=me`, undefined, {
      timeoutMs: _name === 'silence' ? 200 : 5_000,
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(type);
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).not.toContain('who=me');
    if (_name === '429') expect(failure).toMatchObject({ retryAfterMs: 7_000 });
    expect(received).toHaveLength(1);
  });

  test.each(['20', new Date(Date.now() + 25_000).toUTCString()])(
    'what one call is told by Retry-After (%s) holds for all of the worker, and for that endpoint alone',
    async (asked) => {
      const holds = new Holds(() => performance.now(), Math.random);
      const external = { allowPrivateAddresses: true, holds };
      answer = replying(429, '', { 'retry-after': asked });
      await expect(post(`${base}/check`, external)).rejects.toBeInstanceOf(ExternalUnavailable);
      answer = replying(200, 'true');
      received.splice(0);
      const held = (await post(`${base}/check?other`, external).catch(
        (error: unknown) => error,
      )) as ExternalUnavailable;
      expect(held).toBeInstanceOf(ExternalUnavailable);
      expect(held.message).toMatch(/\/check asked to be left alone; it is not called for another \d+\.\d s$/);
      expect(held.retryAfterMs).toBeGreaterThan(15_000);
      expect(received).toEqual([]);
      expect(await post(`${base}/other`, external)).toBe(true);
    },
  );

  test('nobody there is an outage; a cancelled run’s call ends at once, with the run’s reason', async () => {
    await expect(post('http://127.0.0.1:1/')).rejects.toBeInstanceOf(ExternalUnavailable);
    answer = () => undefined;
    const controller = new AbortController();
    const reason = new Error('the run was cancelled');
    const call = post(base, undefined, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 30);
    await expect(call).rejects.toBe(reason);
  });
});

describe('a name that leads where it must not', () => {
  const named = (name: string) => base.replace('127.0.0.1', name);
  const resolver = (...answers: string[][]) => {
    let call = 0;
    const asked: string[] = [];
    const resolve = (hostname: string) => {
      asked.push(hostname);
      const addresses = answers[Math.min(call++, answers.length - 1)]!;
      return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    };
    return { asked, resolve };
  };

  test.each([[['127.0.0.1']], [['::1']], [['::ffff:127.0.0.1']], [['169.254.169.254']], [['8.8.8.8', '127.0.0.1']]])(
    '%j is refused before anything is sent',
    async (addresses) => {
      const { resolve } = resolver(addresses);
      const failure = await post(named('check.example.com'), { resolve }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ExternalCallFailed);
      expect((failure as Error).message).toMatch(/check\.example\.com is at .* not public/);
      expect(sentTo('check.example.com')).toEqual([]);
    },
  );

  test('an answer that is public when it is checked and private when it is used is refused once connected', async () => {
    const uses: string[] = [];
    const changing = {
      family: 4,
      get address(): string {
        uses.push(uses.length === 0 ? '8.8.8.8' : '127.0.0.1');
        return uses.at(-1)!;
      },
    };
    let connections = 0;
    const count = (): number => connections++;
    server.on('connection', count);
    const failure = await post(named('rebind.example.com'), { resolve: () => Promise.resolve([changing]) }).catch(
      (error: unknown) => error,
    );
    server.off('connection', count);
    expect(uses.slice(0, 2)).toEqual(['8.8.8.8', '127.0.0.1']);
    expect(failure).toBeInstanceOf(ExternalCallFailed);
    expect((failure as Error).message).toMatch(/^the address 127\.0\.0\.1 is not public/);
    // The connection is there, and nothing went over it.
    expect([connections, sentTo('rebind.example.com')]).toEqual([1, []]);
  });

  test('a name is looked up once for a connection: a second answer is never asked for', async () => {
    // Nothing listens at the first; the second would answer.
    const { asked, resolve } = resolver(['127.0.0.2'], ['127.0.0.1']);
    const call = post(named('rebind.example.com'), { resolve, allowPrivateAddresses: true });
    await expect(call).rejects.toBeInstanceOf(ExternalUnavailable);
    expect([asked, sentTo('rebind.example.com')]).toEqual([['rebind.example.com'], []]);
    const again = resolver(['127.0.0.1'], ['8.8.8.8']);
    await expect(post(named('rebind.example.com'), { resolve: again.resolve })).rejects.toThrow(/127\.0\.0\.1/);
    expect(again.asked).toEqual(['rebind.example.com']);
  });

  test.each(['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::1]', '2130706433', '0x7f000001', '0177.0.0.1', '127.1'])(
    'the host %s is an address in other words: nothing is looked up, nothing is sent',
    async (host) => {
      const { asked, resolve } = resolver(['8.8.8.8']);
      const failure = await post(named(host), { resolve }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ExternalCallFailed);
      expect((failure as Error).message).toMatch(/is not public/);
      expect([asked, received]).toEqual([[], []]);
    },
  );

  test('a name that resolves as it should is called', async () => {
    answer = replying(200, 'true');
    const { resolve } = resolver(['127.0.0.1']);
    expect(await post(named('check.example.com'), { resolve, allowPrivateAddresses: true })).toBe(true);
    expect(received).toHaveLength(1);
  });
});
