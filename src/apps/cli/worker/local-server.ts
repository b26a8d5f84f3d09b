import { createWorker } from '../../../worker';
import { connectOrStart } from '../../server';
import { CliError } from '../support/cli-error';
import { printAside } from '../terminal/say';
import { mcpServersIn } from './mcp-findings';
import { modelsOfFile } from './models-of-file';
import { installQuietRuntime } from './quiet-runtime';

/** Variables about another server, or about workers that share the work of one. */
const ELSEWHERE = /^(?:TEMPORAL_(?!CLI$)|REFLECT_(?:DEPLOYMENT|BUILD_ID|SERVE)$)/;

/**
 * Does the work of a command with a Temporal server in memory, on a free port of this machine, and a worker as `reflect worker`
 * starts it. Both end with the work, and the server at the latest with this process.
 */
export async function withLocalServer<T>(work: () => Promise<T>): Promise<T> {
  for (const name of Object.keys(process.env)) if (ELSEWHERE.test(name)) delete process.env[name];
  const models = await modelsOfFile();
  const server = await connectOrStart({ onProgress: printAside, keepAlive: false });
  printAside(`Temporal server for this command alone: ${server.address}`);
  // It has no Web UI, and no file is about it.
  Object.assign(process.env, { TEMPORAL_ADDRESS: server.address, TEMPORAL_CONFIG_FILE: '', TEMPORAL_UI_URL: '' });
  try {
    installQuietRuntime();
    const worker = await createWorker({ ...(await mcpServersIn()), ...(models && { models }), drainMs: 0 });
    const running = worker.run();
    const ended = running.then(() => Promise.reject<T>(new CliError('WorkerEnded', 'The local worker ended.')));
    try {
      return await Promise.race([work(), ended]);
    } finally {
      worker.shutdown();
      await Promise.allSettled([running, ended]);
    }
  } catch (error) {
    if (!(error instanceof CliError && error.type === 'Interrupted')) throw error;
    throw new CliError('Interrupted', 'The run ended with its local server.');
  } finally {
    await server.stop();
  }
}
