import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const secret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/**
 * The beginning of the path of each page. Browsers send a cookie to every port of a host: below this path no other server has
 * pages.
 */
export const ROOT = `/${secret(16)}`;

function isSame(given: string, known: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(known)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * Access to the pages for the browser that opened the link with the token first. The token works once, so a link that stays in a
 * terminal, a history or a log opens nothing.
 */
export class Access {
  readonly #session = secret();
  #token: string | undefined = secret();

  /** The path of the link, while its token was not used. */
  get path(): string | undefined {
    return this.#token === undefined ? undefined : `${ROOT}/?token=${this.#token}`;
  }

  /**
   * Exchanges the token for a cookie; undefined for a token that is wrong or was used.
   *
   * @param port of the server: browsers share cookies between ports
   */
  redeem(token: string, port: number): string | undefined {
    if (this.#token === undefined || !isSame(token, this.#token)) return undefined;
    this.#token = undefined;
    return `${cookieName(port)}=${this.#session}; HttpOnly; SameSite=Strict; Path=${ROOT}/`;
  }

  /** Returns whether a request comes from the browser that has the cookie. */
  admits(request: IncomingMessage, port: number): boolean {
    return isSame(cookieOf(request, cookieName(port)) ?? '', this.#session);
  }
}

const cookieName = (port: number): string => `reflect_review_${port}`;

/**
 * Explains why a request is refused before anything is looked at; undefined where nothing is wrong. A page of another site that
 * resolves its name to this machine (DNS rebinding) has its own name in `Host`; a form of another site has its own `Origin`.
 */
export function foreign({ method, headers }: IncomingMessage, port: number): string | undefined {
  const { host, origin } = headers;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return 'Another host is named in the request.';
  const site = headers['sec-fetch-site'];
  if (method === 'POST' && origin !== `http://${host}`) return 'The request comes from another page.';
  if (method === 'POST' && site !== undefined && site !== 'same-origin') return 'The request comes from another site.';
  return undefined;
}
