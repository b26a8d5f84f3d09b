import OpenAI from 'openai';
import { type Dispatcher, getGlobalDispatcher } from 'undici';
import { isSwitchedOn } from '../base/switched-on';
import { envProxy } from '../fetch/env-proxy';
import { secretsOf, urlSecrets } from '../text/secrets';
import type { ServedModel } from './own/served-model';
import { MissingKeyError } from './reply-error';
import { boundedFetchThrough } from '../fetch/bounded-fetch';
import { fieldOf, textIn } from './habits/read-json';

/** Returns the text of a framework about a mistake in a body: the place and the mistake, and not the value there. */
function problemText(problem: unknown): string {
  const place = fieldOf(problem, 'loc');
  // An object that JSON made may have a `toString` that is not a function.
  const steps: unknown[] = Array.isArray(place) ? place : [];
  const at = steps.filter((step) => typeof step === 'string' || typeof step === 'number').join('.');
  return [at, textIn(problem, 'msg')].filter((text) => text !== '').join(': ');
}

function messageIn(body: unknown): string {
  const detail = fieldOf(body, 'detail') ?? fieldOf(fieldOf(body, 'message'), 'detail');
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return detail.map(problemText).join('; ');
  return textIn(detail, 'message') || textIn(body, 'message') || textIn(body, 'msg');
}

/** Rewrites the body of an error to the protocol's form; returns undefined if it has that form, or no message. */
function protocolError(text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const [first] = Array.isArray(body) ? (body as unknown[]) : [body];
  const error = fieldOf(first, 'error');
  if (error != null) return first === body ? undefined : JSON.stringify({ error });
  const message = messageIn(first);
  return message === '' ? undefined : JSON.stringify({ error: { message } });
}

/**
 * Makes a `fetch` that rewrites errors of another form, such as `{ detail }`, to that of the protocol: the vendor's
 * client drops forms that it does not know.
 *
 * @param maxBytes of an answer
 * @param proxy that requests go through. Default: the global dispatcher
 */
function fetchReadable(maxBytes?: number, proxy?: Dispatcher): typeof fetch {
  const through = proxy ? () => proxy : getGlobalDispatcher;
  const bounded = boundedFetchThrough(through, maxBytes === undefined ? {} : { maxBytes });
  return async (...given) => {
    const response = await bounded(...given);
    const { status, statusText, headers } = response;
    if (status < 400) return response;
    const text = await response.text();
    return new Response(protocolError(text) ?? text, { status, statusText, headers });
  };
}

/** The key for self-hosted servers: they rarely need one, but the vendor's client insists on one. */
const NO_KEY_NEEDED = 'not-needed';

/** Values shorter than this would be found by accident. */
const SHORTEST_KEY = 4;

/**
 * Returns the proxy of the environment, if model calls are to go through it.
 *
 * @throws TypeError for a proxy's address that cannot be used
 */
export function modelProxy(env: NodeJS.ProcessEnv): Dispatcher | undefined {
  return isSwitchedOn(env['REFLECT_USE_ENV_PROXY']) ? envProxy(env) : undefined;
}

/** The way to a model's endpoint. A model by code of the worker's owner has no client. */
interface Access {
  client?: OpenAI;
  /** Texts that no error of a call may show. */
  secrets: readonly string[];
}

/** The vendor's clients of a worker: one for each endpoint and key, made when it is first needed. */
export class Clients {
  readonly #clients = new Map<string, { client: OpenAI; apiKey: string }>();

  readonly #proxy: Dispatcher | undefined;

  /** @throws TypeError for a proxy's address that cannot be used */
  constructor(private readonly env: NodeJS.ProcessEnv) {
    this.#proxy = modelProxy(env);
  }

  /** @throws MissingKeyError where the model needs a key, and the environment has none */
  accessTo(config: ServedModel): Access {
    // The key that the owner's code uses is not known here.
    if (config.custom) return { secrets: secretsOf(this.env) };
    const { headers = {}, query = {}, baseUrl = '' } = config;
    const { client, apiKey } = this.#clientFor(config);
    const values = [apiKey, ...Object.values(headers), ...Object.values(query)];
    const secrets = [...values.filter(({ length }) => length >= SHORTEST_KEY), ...urlSecrets(baseUrl)];
    return { client, secrets };
  }

  #clientFor(config: ServedModel): { client: OpenAI; apiKey: string } {
    const { apiKeyVariable: variable = 'OPENAI_API_KEY', baseUrl: baseURL, maxReplyBytes } = config;
    const apiKey = this.env[variable] || (baseURL ? NO_KEY_NEEDED : undefined);
    if (!apiKey) throw new MissingKeyError(variable);
    const identity = `${baseURL ?? ''} ${variable} ${maxReplyBytes ?? ''}`;
    const known = this.#clients.get(identity);
    if (known) return known;
    // Its log would show the replies of models; an unreadable reply is an error here anyway.
    const quiet = { maxRetries: 0, organization: null, project: null, logLevel: 'off' as const };
    const fetch = fetchReadable(maxReplyBytes, this.#proxy);
    const made = { client: new OpenAI({ apiKey, baseURL: baseURL ?? null, fetch, ...quiet }), apiKey };
    this.#clients.set(identity, made);
    return made;
  }
}
