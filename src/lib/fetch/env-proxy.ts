import { Agent, type Dispatcher, ProxyAgent } from 'undici';

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
function variable(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined;
}

/** @throws TypeError for an address that is none, without showing it: it may hold a password */
function proxyAt(env: Environment, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): ProxyAgent | undefined {
  const uri = variable(env, name);
  if (uri === undefined) return undefined;
  if (URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol)) return new ProxyAgent({ uri });
  throw new TypeError(`${name} must be the address of a proxy, such as http://proxy.example:3128`);
}

/**
 * Returns what requests go through with `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; undefined where neither proxy is set.
 *
 * @throws TypeError for a proxy's address that cannot be used
 */
export function envProxy(env: Environment): Dispatcher | undefined {
  const http = proxyAt(env, 'HTTP_PROXY');
  const https = proxyAt(env, 'HTTPS_PROXY') ?? http;
  if (!https) return undefined;
  const hosts = directHosts(variable(env, 'NO_PROXY') ?? '');
  const direct = new Agent();
  const choose = (url: URL): Dispatcher =>
    isDirect(url, hosts) ? direct : ((url.protocol === 'https:' ? https : http) ?? direct);
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    choose(new URL(String(options.origin))).dispatch(options, handler);
  return { dispatch } as Dispatcher;
}
