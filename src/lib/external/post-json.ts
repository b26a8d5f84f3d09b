import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { retryAfterOfHeader } from '../limits/retry-after';
import type { Json } from '../json/json';
import { orAborted, withTimeout } from '../timeout';
import { isPublicAddress } from './public-address';
import { readBeginning, readJson, readWithinLimit } from './read-answer';
import { type ExternalCalls, ExternalCallFailed, ExternalUnavailable, type Resolver } from './types';
import { PRIVATE_NOT_ALLOWED, urlProblem, literalAddress } from './url-problems';
import { messageOf } from '../base/message-of';
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';

const resolveBySystem: Resolver = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/** The socket gets the addresses that were checked: a name that resolves differently a moment later gains nothing. */
async function makeGuardedLookup(
  url: URL,
  allowPrivateAddresses: boolean,
  resolve: Resolver = resolveBySystem,
): Promise<LookupFunction> {
  const { hostname } = url;
  const addresses = literalAddress(url) === undefined ? await resolve(hostname) : [];
  const refused = allowPrivateAddresses ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
  if (refused) throw new ExternalCallFailed(`${hostname} is at ${refused.address}, which ${PRIVATE_NOT_ALLOWED}`);
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (!first) callback(new ExternalCallFailed(`${hostname} has no address`), '', 0);
    else if (all) (callback as unknown as (error: null, found: LookupAddress[]) => void)(null, addresses);
    else callback(null, first.address, first.family);
  };
}

const SHOWN_OF_BODY = 200;

export interface ExternalRequest {
  body: Json;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface PostRequest extends Omit<ExternalRequest, 'body'> {
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** Errors name the origin alone, and nothing of the answer: the path may be a secret, and an answer may repeat the request. */
  isConfidential?: boolean;
}

/** Posts JSON and reads the JSON of the answer. See `post`. Throws ExternalUnavailable, ExternalCallFailed. */
export function postJson(address: string, request: ExternalRequest, external: ExternalCalls): Promise<Json> {
  const read = async (response: IncomingMessage, place: string): Promise<Json> =>
    readJson(await readWithinLimit(response, place), place);
  return post(address, { ...request, body: JSON.stringify(request.body) }, external, read);
}

/**
 * Posts JSON. Redirects are not followed, and the address is checked when it is connected to. The status decides whether it was
 * taken: a body that is large, slow or broken changes nothing unless `read` needs it.
 * @param read reads an answer of the statuses 200 to 299
 * @throws ExternalUnavailable when the service is away: no connection, no answer in time, 408, 429, 5xx; or with nothing sent,
 *   while its Retry-After asks to be left alone
 * @throws ExternalCallFailed for every other answer without a usable body
 */
export async function post<Answer>(
  address: string,
  { body, headers = {}, timeoutMs, signal, isConfidential = false }: PostRequest,
  external: Omit<ExternalCalls, 'commands'>,
  read: (response: IncomingMessage, place: string) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { allowPrivateAddresses = false, hosts, resolve, holds } = external;
  const problem = urlProblem(address, { allowPrivateAddresses, ...(hosts && { hosts }) });
  if (problem !== undefined) throw new ExternalCallFailed(`the URL ${problem}`);
  const url = new URL(address);
  const place = isConfidential ? url.origin : `${url.origin}${url.pathname}`;
  const held = holds?.backInMs(place);
  if (held !== undefined) {
    const message = `${place} asked to be left alone; it is not called for another ${(held / 1_000).toFixed(1)} s`;
    throw new ExternalUnavailable(message, held);
  }
  return withTimeout(timeoutMs, signal, async (limited, isTimeUp) => {
    try {
      // Looking up a name cannot be cancelled, but need not be waited for.
      const lookup = await orAborted(makeGuardedLookup(url, allowPrivateAddresses, resolve), limited);
      const sent = { body, headers, place, connection: { lookup, signal: limited } };
      const response = await answerTo(url, sent, allowPrivateAddresses);
      try {
        if (!isTaken(response)) throw refusal(response, isConfidential ? '' : await readBeginning(response), place);
        return await read(response, place);
      } finally {
        response.destroy();
      }
    } catch (error) {
      if (error instanceof ExternalUnavailable && error.retryAfterMs) holds?.note(place, error.retryAfterMs);
      signal.throwIfAborted();
      if (error instanceof ExternalCallFailed || error instanceof ExternalUnavailable) throw error;
      if (isTimeUp()) throw new ExternalUnavailable(`${place} did not answer within ${timeoutMs} ms`);
      throw new ExternalUnavailable(`${place} cannot be reached: ${reasonOf(error)}`);
    }
  });
}

interface Sent {
  body: string;
  headers: Readonly<Record<string, string>>;
  place: string;
  connection: { lookup: LookupFunction; signal: AbortSignal };
}

function answerTo(
  url: URL,
  { body, headers, place, connection }: Sent,
  allowPrivateAddresses: boolean,
): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method: 'POST',
      // A separate connection: one that is kept was checked for another name.
      agent: false,
      ...connection,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'durable-reflection',
      },
    });
    sent.once('socket', (socket: Socket) => {
      socket.once('connect', () => {
        const { remoteAddress = '' } = socket;
        if (allowPrivateAddresses || isPublicAddress(remoteAddress)) sent.end(body);
        else sent.destroy(new ExternalCallFailed(`the address ${remoteAddress} ${PRIVATE_NOT_ALLOWED}`));
      });
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(new ExternalCallFailed(`${place} answered ${statusCode}, and no protocol was asked for`));
    });
    // Whatever else may happen to a connection, a caller waits.
    sent.once('close', () => reject(new Error('the connection was closed before an answer')));
  });
}

const isTaken = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

function refusal({ statusCode = 0, headers }: IncomingMessage, text: string, place: string): Error {
  if (statusCode >= 300 && statusCode < 400) {
    return new ExternalCallFailed(`${place} answered ${statusCode}: redirects are not followed, use the final URL`);
  }
  const said = text.trim().slice(0, SHOWN_OF_BODY).replaceAll(/\s+/g, ' ');
  const message = `${place} answered ${statusCode}${said === '' ? '' : `: ${said}`}`;
  if (statusCode < 500 && statusCode !== 408 && statusCode !== 429) return new ExternalCallFailed(message);
  return new ExternalUnavailable(message, retryAfterOfHeader(headers['retry-after'], Date.now()));
}

function reasonOf(error: unknown): string {
  // Several addresses were tried: the first failure says as much as all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return messageOf(first);
}
