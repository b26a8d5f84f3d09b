import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ReflectionClient } from '../../../../src/client';
import { createReviewHandler, nodeListener, type ReviewHandlerOptions } from '../../../../src/apps/cli/review';
import { InvalidConfigError } from '../../../../src/loop/errors/errors';

/** A client whose list is empty: these tests are about who is let in. */
const client = { list: async function* () {} } as unknown as ReflectionClient;

const handler = (options: ReviewHandlerOptions) => createReviewHandler(client, options);
const ask = (options: ReviewHandlerOptions, url: string, init?: RequestInit) =>
  handler(options)(new Request(url, init));
const asAda = { reviewer: () => 'Ada' };

describe('the handler of the review page', () => {
  test.each<[options: ReviewHandlerOptions, path: string]>([
    [{}, '/reviewer'],
    [{ loopback: false }, '/reviewer'],
    [{ ...asAda, path: 'review' }, '/path'],
    [{ ...asAda, path: '/review/' }, '/path'],
    [{ ...asAda, origin: 'app.example.com' }, '/origin'],
    [{ ...asAda, origin: 'https://app.example.com/x' }, '/origin'],
    [{ ...asAda, hosts: 'app.example.com' as unknown as string[] }, '/hosts'],
    [{ ...asAda, hosts: ['app.example.com', 'https://app.example.com'] }, '/hosts'],
    [{ loopback: 'false' as unknown as boolean }, '/loopback'],
    [{ ...asAda, prompts: 0 as unknown as boolean }, '/prompts'],
    [{ reviewer: 'Ada' as unknown as () => string }, '/reviewer'],
    [{ ...asAda, reviewr: () => 'Ada' } as ReviewHandlerOptions, '/reviewr'],
  ])('refuses settings with which it cannot be safe: %j', (options, path) => {
    const refused = () => handler(options);
    expect(refused).toThrow(InvalidConfigError);
    expect(refused).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ path })] }));
  });

  test('is for those whom the function names', async () => {
    const options = { reviewer: async ({ headers }: Request) => headers.get('x-user') ?? undefined };
    const url = 'https://app.example.com/review/';
    expect((await ask(options, url)).status).toBe(401);
    const response = await ask(options, url, { headers: { 'x-user': 'Ada' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(await response.text()).toContain('You act as Ada');
    expect((await ask(asAda, 'https://app.example.com/review')).headers.get('location')).toBe('/review/');
    expect((await ask(asAda, 'https://app.example.com/elsewhere')).status).toBe(400);
    expect((await ask(asAda, url, { method: 'DELETE' })).status).toBe(405);
  });

  test.each<[string, unknown]>([
    ['rejects', () => Promise.reject(new Error('ldap://secret is away'))],
    [
      'throws',
      () => {
        throw new Error('ldap://secret is away');
      },
    ],
    ['returns no text', () => 7],
  ])('keeps an error from strangers, and tells the service once, when `reviewer` %s', async (_, reviewer) => {
    const errors: unknown[] = [];
    const options = { reviewer, onError: (error: unknown) => errors.push(error) } as unknown as ReviewHandlerOptions;
    const response = await ask(options, 'https://app.example.com/review/');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/ldap|secret|TypeError|not a function/);
    expect(errors).toEqual([expect.any(Error)]);
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await ask({ reviewer } as ReviewHandlerOptions, 'https://app.example.com/review/');
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });

  test.each<[host: string, status: number]>([
    ['app.example.com', 200],
    ['app.example.com:8080', 200],
    ['eu.example.org:443', 200],
    ['eu.example.org', 403],
    ['evil.example', 403],
    ['app.example.com.evil.example', 403],
    ['app.example.com@evil.example', 403],
    ['', 403],
  ])('with `hosts`, answers a request that names the host "%s" with %i', async (host, status) => {
    const reviewer = jest.fn(() => 'Ada');
    const options = { reviewer, hosts: ['app.example.com', '*.example.org:443'] };
    expect((await ask(options, 'http://10.0.0.7/review/', { headers: { host } })).status).toBe(status);
    expect(reviewer).toHaveBeenCalledTimes(status === 200 ? 1 : 0);
  });

  test.each<[options: ReviewHandlerOptions, status: number]>([
    [asAda, 404],
    [{ ...asAda, prompts: true }, 502],
    [{ loopback: true }, 502],
    [{ loopback: true, prompts: false }, 404],
  ])('shows prompts only where it may: %j', async (options, status) => {
    // The client knows no run, so a page that may be shown fails.
    expect((await ask(options, 'http://127.0.0.1/review/prompts/a', { headers: { host: '127.0.0.1' } })).status).toBe(
      status,
    );
  });

  test('takes forms of its own origin only, also where a proxy ends TLS', async () => {
    const post = (headers: Record<string, string>, options: ReviewHandlerOptions = asAda) =>
      ask(options, 'http://app.example.com/review/open', {
        method: 'POST',
        headers,
        body: new URLSearchParams({ id: 'a' }),
      });
    expect((await post({})).status).toBe(403);
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ origin: 'null' })).status).toBe(403);
    const own = { origin: 'https://app.example.com' };
    expect((await post({ ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const taken = await post(own);
    expect([taken.status, taken.headers.get('location')]).toEqual([303, '/review/runs/a']);
    const outer = { ...asAda, origin: 'https://outer.example' };
    expect((await post(own, outer)).status).toBe(403);
    expect((await post({ origin: 'https://outer.example' }, outer)).status).toBe(303);
  });

  test('without a function it serves the loopback interface only', async () => {
    const server = createServer(nodeListener(handler({ loopback: true }))).listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const status = async (host: string) => (await fetch(`http://${host}:${port}/review/`)).status;
      expect(await status('127.0.0.1')).toBe(200);
      expect(await status('localhost')).toBe(200);
      const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      for (const { address } of others.filter(({ internal, family }) => !internal && family === 'IPv4'))
        expect(await status(address)).toBe(403);
      // A name of another site that leads to this machine.
      expect(
        (await ask({ loopback: true }, 'http://evil.example/review/', { headers: { host: 'evil.example' } })).status,
      ).toBe(403);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
