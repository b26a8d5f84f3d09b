/** Hosts that may be called. An entry is a host, `*.` and what its name ends with, or `*` for all; with a port, that port alone. */
export type AllowedHosts = readonly string[];

const ANY_BELOW = '*.';

function readEntry(entry: string): { below: boolean; hostname: string; port: string } | undefined {
  const below = entry.startsWith(ANY_BELOW);
  const host = below ? entry.slice(ANY_BELOW.length) : entry;
  if (host === '' || /[\s/?#@*\\]/.test(host) || !URL.canParse(`ws://${host}`)) return undefined;
  const { hostname } = new URL(`ws://${host}`);
  // Not the port of the URL, which is empty where it is the scheme's own.
  const [, port = ''] = /:(\d+)$/.exec(host.replace(/^\[.*\]/, '')) ?? [];
  return { below, hostname: withoutRoot(hostname), port };
}

function withoutRoot(hostname: string): string {
  return hostname.replace(/\.$/, '');
}

export function hostEntryProblem(entry: string): string | undefined {
  if (entry === '*' || readEntry(entry)) return undefined;
  return `"${entry}" is no host: write a name such as "judge.example.com" or "*.example.com", with a port where one is meant`;
}

export function allowsHost(list: AllowedHosts | undefined, url: URL): boolean {
  if (list === undefined) return true;
  const hostname = withoutRoot(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.some((entry) => {
    if (entry === '*') return true;
    const read = readEntry(entry);
    if (!read || (read.port !== '' && read.port !== port)) return false;
    return read.below ? hostname.endsWith(`.${read.hostname}`) : hostname === read.hostname;
  });
}
