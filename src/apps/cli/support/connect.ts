import { connect as openSocket } from 'node:net';
import { ReflectionClient } from '../../../client';
import { type TemporalOverrides, type TemporalSettings, temporalSettings } from '../../../lib/config';
import { NoAnswerError, ServerRequestError } from '../../../loop/errors/call-errors';
import { CliError } from './cli-error';
import { setting } from './options';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Reads the address of the Temporal server from options and environment. Throws CliError. */
export function serverSettings(options: TemporalOverrides): TemporalSettings {
  return setting(['TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'], () => temporalSettings(options));
}

export async function connect(options: TemporalOverrides): Promise<ReflectionClient> {
  const { connection, namespace } = serverSettings(options);
  const { address } = connection;
  const unreachable = (why: string) =>
    new CliError(
      'ServerUnreachable',
      `No Temporal server answers at ${address}${why}.`,
      'Start one with `npx reflect server`, or name another with --address or TEMPORAL_ADDRESS.',
    );
  if (!hasUsablePort(address)) throw unreachable(': its port must be a number from 1 to 65535');
  if (await refuses(address)) throw unreachable('');
  try {
    // What else a command takes, such as how long it waits for its answer, is not for the connection.
    const { namespace: asked, taskQueue } = options;
    const client = await ReflectionClient.connect({ address: options.address, namespace: asked, taskQueue });
    await assertNamespaceExists(client, address, namespace);
    return client;
  } catch (error) {
    if (error instanceof NoAnswerError) throw unreachable(' in time');
    if (error instanceof ServerRequestError) throw unreachable(`: ${error.message}`);
    // An error with a type of its own has another cause than a server that does not answer, such as an invalid key in
    // REFLECT_CODEC_KEYS.
    if (typeof (error as { type?: unknown }).type === 'string') throw error;
    throw unreachable(`: ${(error as Error).message}`);
  }
}

/** Runs work with a client of the server that options and environment name, or of one for this work alone, and closes the client. */
export async function withClient<T>(
  { local = false, ...options }: TemporalOverrides & { local?: boolean },
  work: (client: ReflectionClient) => Promise<T>,
): Promise<T> {
  if (local) {
    const { withLocalServer } = require('../worker/local-server') as typeof import('../worker/local-server');
    return withLocalServer(() => withClient(options, work));
  }
  const client = await connect(options);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Returns whether an address has a usable port. Without a port it is the SDK's default. */
function hasUsablePort(address: string): boolean {
  const port = /^(?:\[.*\]|[^:]*):([^:]*)$/.exec(address)?.[1];
  return port === undefined || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
}

/** Returns whether nothing listens at an address of this machine. The SDK would try for ten seconds. */
async function refuses(address: string): Promise<boolean> {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon);
  if (!LOOPBACK.test(host)) return false;
  return new Promise((resolve) => {
    const socket = openSocket({
      host: host.replace(/[[\]]/g, ''),
      port: Number(address.slice(colon + 1)),
      timeout: 2_000,
    });
    const settle = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.once('connect', () => settle(false));
    socket.once('timeout', () => settle(false));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ECONNREFUSED'));
  });
}

const GRPC_NOT_FOUND = 5;

async function assertNamespaceExists(client: ReflectionClient, address: string, namespace: string): Promise<void> {
  try {
    await client.temporal.connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    // Some servers let no client describe a namespace; a missing one is the only answer that is clear.
    if ((error as { code?: unknown }).code !== GRPC_NOT_FOUND) return;
    await client.close();
    throw new CliError(
      'NamespaceNotFound',
      `The Temporal server at ${address} has no namespace "${namespace}".`,
      'Name another with --namespace or TEMPORAL_NAMESPACE.',
    );
  }
}
