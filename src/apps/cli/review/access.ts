import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type AllowedHosts, allowsHost } from '../../../lib/base/allowed-hosts';

const secret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** Path of all pages. Browsers send a cookie to every port of a host; no server has pages below this path. */
export const ROOT = `/${secret(16)}`;

function isSame(given: string, known: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(known)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function cookieOf({ headers }: Request, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
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

  /** Exchanges the token for a cookie, once. Browsers share cookies between ports, so it names its port. */
  redeem(token: string, port: number): string | undefined {
    if (this.#token === undefined || !isSame(token, this.#token)) return undefined;
    this.#token = undefined;
    return `${cookieName(port)}=${this.#session}; HttpOnly; SameSite=Strict; Path=${ROOT}/`;
  }

  admits(request: Request, port: number): boolean {
    return isSame(cookieOf(request, cookieName(port)) ?? '', this.#session);
  }
}

const cookieName = (port: number): string => `reflect_review_${port}`;

/**
 * Explains why a request is refused before anything is looked at; undefined where nothing is wrong. A page of another site that
 * resolves its name to this machine (DNS rebinding) has its own name in `Host`; a form of another site has its own `Origin`.
 */
export function foreign(request: Request, port: number): string | undefined {
  const host = request.headers.get('host');
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return 'Another host is named in the request.';
  return foreignForm(request, `http://${host}`);
}

export const LOOPBACK_HOSTS: AllowedHosts = ['127.0.0.1', 'localhost', '[::1]'];

export function foreignHost({ headers }: Request, hosts: AllowedHosts | undefined): string | undefined {
  const named = `http://${headers.get('host') ?? ''}`;
  if (hosts === undefined || (URL.canParse(named) && allowsHost(hosts, new URL(named)))) return undefined;
  return 'Another host is named in the request.';
}

/**
 * Explains why a form is refused that a page of another origin may have sent (CSRF); undefined for other requests, and for forms
 * of the pages.
 */
export function foreignForm({ method, headers }: Request, origin: string): string | undefined {
  if (method !== 'POST') return undefined;
  if (headers.get('origin') !== origin) return 'The request comes from another page.';
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' ? 'The request comes from another site.' : undefined;
}
