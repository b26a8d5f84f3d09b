import OpenAI from 'openai';
import { type Dispatcher, getGlobalDispatcher, Agent, ProxyAgent } from 'undici';
import { isSwitchedOn } from '../base/switched-on';
import { secretsOf, urlSecrets } from '../text/secrets';
import type { ServedModel } from './own/served-model';
import { MissingKeyError } from './reply-error';
import { boundedFetchThrough } from '../fetch/bounded-fetch';
import { fieldOf, textIn } from './habits/read-json';

type Environment = Readonly<Record<string, string | undefined>>;

interface DirectHost {
  /** In lower case; `*`: every host. Its subdomains are reached without a proxy, too. */
  name: string;
  port?: string | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const withoutBrackets = (name: string): string => name.replace(/^\[|\]$/g, '');

/** Parses a list such as `localhost, .internal.example, 10.0.0.7:8080`. */
function directHosts(list: string): DirectHost[] {
  return list.split(/[\s,]+/).flatMap((entry) => {
    // An IPv6 address has colons of its own, and may be in brackets.
    const [, written = entry, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    const name = written === '*' ? written : withoutBrackets(written.toLowerCase()).replace(/^\*?\./, '');
    return name === '' ? [] : [{ name, port }];
  });
}

function isDirect({ hostname, port, protocol }: URL, hosts: readonly DirectHost[]): boolean {
  const asked = port || DEFAULT_PORTS[protocol];
  const host = withoutBrackets(hostname);
  return hosts.some(
    ({ name, port: only }) =>
      (only === undefined || only === asked) && (name === '*' || host === name || host.endsWith(`.${name}`)),
  );
}

/** Reads a variable under either of its usual spellings; the one in lower case first, as other programs do. */
function readVariable(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined;
}

/** @throws TypeError for an address that is none, without showing it: it may hold a password */
function proxyAt(env: Environment, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): ProxyAgent | undefined {
  const uri = readVariable(env, name);
  if (uri === undefined) return undefined;
  if (URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol)) return new ProxyAgent({ uri });
  throw new TypeError(`${name} must be the address of a proxy, such as http://proxy.example:3128`);
}

function envProxy(env: Environment): Dispatcher | undefined {
  const http = proxyAt(env, 'HTTP_PROXY');
  const https = proxyAt(env, 'HTTPS_PROXY') ?? http;
  if (!https) return undefined;
  const hosts = directHosts(readVariable(env, 'NO_PROXY') ?? '');
  const direct = new Agent();
  const choose = (url: URL): Dispatcher =>
    isDirect(url, hosts) ? direct : ((url.protocol === 'https:' ? https : http) ?? direct);
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    choose(new URL(String(options.origin))).dispatch(options, handler);
  return { dispatch } as Dispatcher;
}

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

/** Rewrites errors such as `{ detail }`: the vendor's client drops forms that it does not know. */
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

const SHORTEST_KEY = 4;

/** The proxy of the environment, if model calls use it. Throws TypeError for a bad address. */
export function modelProxy(env: NodeJS.ProcessEnv): Dispatcher | undefined {
  return isSwitchedOn(env['REFLECT_USE_ENV_PROXY']) ? envProxy(env) : undefined;
}

/** The way to a model's endpoint. A model by code of the worker's owner has no client. */
interface Access {
  client?: OpenAI;
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
