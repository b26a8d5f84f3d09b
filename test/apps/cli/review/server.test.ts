import { request } from 'node:http';
import { connect } from 'node:net';
import { ROOT } from '../../../../src/apps/cli/review/access';
import { type ReviewServer, startReviewServer } from '../../../../src/apps/cli/review/review';
import { eventually } from '../../../../testing/support/eventually';

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

describe('the server of the review pages', () => {
  let server: ReviewServer;
  let port: number;
  const sent: string[] = [];
  /** Requests whose page does not come. */
  let waiting = 0;

  const ask = (
    path: string,
    headers: Record<string, string> = {},
    { method = 'GET', body = '' }: { method?: string; body?: string } = {},
  ): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const whole = path.startsWith(ROOT) ? path : `${ROOT}${path}`;
      const asked = request({ host: '127.0.0.1', port, path: whole, method, headers }, (response) => {
        let text = '';
        response.on('data', (piece: Buffer) => (text += piece.toString()));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
        response.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(body);
    });
  const enter = async (): Promise<string> => {
    const { headers } = await ask(server.access.path!);
    return headers['set-cookie']![0]!.split(';')[0]!;
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  beforeEach(async () => {
    sent.length = 0;
    server = await startReviewServer(0, {
      get(path, seen) {
        if (path === '/fails') throw new Error('no <way>');
        if (path === '/waits') {
          waiting += 1;
          return new Promise(() => undefined);
        }
        return Promise.resolve(seen === 'now' ? 'same' : { status: 200, page: `page of ${path}`, state: 'now' });
      },
      post(path, fields) {
        sent.push(`${path} ${fields.get('text')}`);
        return Promise.resolve({ location: '/' });
      },
    });
    port = Number(new URL(server.url).port);
  });
  afterEach(() => server.close());

  test('is for whoever opens the link first, in the browser that did so', async () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    const { path } = server.access;
    expect((await ask('/')).status).toBe(401);
    expect((await ask('/?token=wrong')).status).toBe(401);
    // A browser that only prepares for a click does not use it up; HEAD neither.
    expect((await ask(path!, { 'sec-purpose': 'prefetch;prerender' })).status).toBe(503);
    expect((await ask(path!, {}, { method: 'HEAD' })).status).toBe(401);
    const entered = await ask(path!);
    expect(entered.status).toBe(200);
    const [cookie = ''] = entered.headers['set-cookie'] as string[];
    expect(cookie).toMatch(
      new RegExp(`^reflect_review_${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/[\\w-]{22}/$`),
    );
    expect(server.access.path).toBeUndefined();
    expect((await ask(path!)).status).toBe(401);
    const mine = { cookie: `a=b; ${cookie.split(';')[0]}` };
    expect(await ask('/runs/a%2Fb', mine)).toMatchObject({ status: 200, text: 'page of /runs/a/b' });
    expect((await ask(path!, mine)).status).toBe(200);
    expect((await ask('/', { cookie: cookie.slice(0, 40) })).status).toBe(401);
    expect((await ask('/%ff', mine)).status).toBe(400);
    expect((await ask('/', mine, { method: 'DELETE' })).status).toBe(405);
  });

  test('has its pages below a path that nobody knows, so that the cookie goes to no other server of this machine', async () => {
    const cookie = await enter();
    expect(cookie).toMatch(/^reflect_review_/);
    const elsewhere = (path: string) =>
      new Promise<number>((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, path, headers: { cookie } }, (response) => {
          response.resume();
          resolve(response.statusCode!);
        });
        asked.on('error', reject);
        asked.end();
      });
    expect(await elsewhere('/')).toBe(400);
    expect(await elsewhere('/runs/a')).toBe(400);
    expect(await elsewhere(`${ROOT}/runs/a`)).toBe(200);
  });

  test('answers at once while others hold hundreds of connections open and ask for nothing', async () => {
    const cookie = await enter();
    const held = Array.from({ length: 400 }, () => connect(port, '127.0.0.1'));
    let given = 0;
    for (const socket of held) {
      socket.on('error', () => undefined);
      socket.on('close', () => (given += 1));
      socket.write('GET / HT');
    }
    await Promise.all(
      held.map(
        (socket) =>
          new Promise((resolve) => (socket.connecting ? socket.once('connect', resolve) : resolve(undefined))),
      ),
    );
    expect((await ask('/', { cookie })).status).toBe(200);
    // Those that remain were not given up first.
    expect(given).toBeLessThan(400);
    await eventually(
      () => given,
      (closed) => closed >= 400 - 64,
    );
    for (const socket of held) socket.destroy();
  });

  test('lets the oldest connection go also after browsers left before their page came', async () => {
    const cookie = await enter();
    waiting = 0;
    const left = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'));
    for (const socket of left)
      socket.write(`GET ${ROOT}/waits HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n\r\n`);
    await eventually(
      () => waiting,
      (asked) => asked === 3,
    );
    for (const socket of left) socket.destroy();
    let given = 0;
    const held = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('close', () => (given += 1)));
    for (const socket of held) socket.on('error', () => undefined);
    await eventually(
      () => given,
      (closed) => closed >= 100 - 64,
    );
    expect((await ask('/', { cookie })).status).toBe(200);
    for (const socket of held) socket.destroy();
  });

  test('refuses what comes from pages of others: their names for this machine, and their forms', async () => {
    const cookie = await enter();
    const host = `127.0.0.1:${port}`;
    for (const named of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1.evil.example:${port}`])
      expect((await ask('/', { cookie, host: named })).status).toBe(403);
    expect((await ask('/', { cookie, host: `localhost:${port}` })).status).toBe(200);
    const post = (headers: Record<string, string>) =>
      ask('/runs/a', { cookie, host, ...form, ...headers }, { method: 'POST', body: 'text=hello+there' });
    for (const origin of ['null', 'http://evil.example', `http://localhost:${port}`, `https://${host}`])
      expect((await post({ origin })).status).toBe(403);
    expect((await post({})).status).toBe(403);
    expect((await post({ origin: `http://${host}`, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post({ origin: `http://${host}`, cookie: '' })).status).toBe(401);
    expect(sent).toEqual([]);
    expect(await post({ origin: `http://${host}` })).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(sent).toEqual(['/runs/a hello there']);
  });

  test('reads forms only, up to a size, and ends with the command', async () => {
    const cookie = await enter();
    const headers = { cookie, origin: server.url, ...form };
    const large = 'text='.padEnd(8 * 1024 * 1024 + 1, 'x');
    const post = (body: string, more: Record<string, string> = {}) =>
      ask('/runs/a', { ...headers, ...more }, { method: 'POST', body });
    expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await post('x', { 'content-length': String(large.length) })).status).toBe(413);
    expect((await post(large.slice(0, -1))).status).toBe(303);
    expect(sent).toHaveLength(1);
    // Somebody who says nothing of the size, and does not end.
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (piece: Buffer) => (answer += piece.toString()));
    socket.on('error', () => undefined);
    const ended = new Promise((resolve) => socket.on('close', resolve));
    const head = Object.entries({ ...headers, host: `127.0.0.1:${port}`, 'transfer-encoding': 'chunked' });
    socket.write(
      `POST ${ROOT}/runs/a HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    const chunk = `100000\r\n${'x'.repeat(1 << 20)}\r\n`;
    for (let chunks = 0; chunks < 9; chunks += 1) socket.write(chunk);
    await ended;
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(sent).toHaveLength(1);
  });

  test('sends a strict policy with each page, and tells of failures without markup', async () => {
    const cookie = await enter();
    const failed = await ask('/fails', { cookie });
    expect(failed.status).toBe(502);
    expect(failed.text).toContain('no &lt;way&gt;');
    const fresh = await ask('/', { cookie });
    expect(fresh.headers).toMatchObject({ etag: '"now"', 'cache-control': 'no-store' });
    expect((await ask('/', { cookie, 'if-none-match': 'now' })).status).toBe(304);
    for (const { headers } of [failed, fresh, await ask('/')]) {
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; /);
      expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
      expect(policy).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
    }
  });
});
