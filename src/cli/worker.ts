import { Runtime } from '@temporalio/worker';
import pc from 'picocolors';
import { temporalSettings, type TemporalOverrides } from '../config';
import { createWorker } from '../worker';
import { connect } from './connect';
import { modelEndpoint } from './model-endpoint';
import { quietLogger } from './quiet-logger';

const INTERRUPTED = 130;

/** `reflect worker`: serves runs until it is told to stop, then lets what is under way finish. */
export async function worker(options: TemporalOverrides): Promise<number> {
  // The client explains a server that is not there; the native connection only says that it failed.
  await (await connect(options)).close();
  Runtime.install({ logger: quietLogger(), shutdownSignals: [] });
  const served = await createWorker(options);
  const { connection, namespace } = temporalSettings(options);
  const { baseUrl, hasKey, isDefault } = modelEndpoint();
  console.log(`Serving Temporal at ${pc.bold(connection.address)}, namespace ${namespace}`);
  console.log(`Queues: ${pc.bold(served.taskQueue)} (runs and checks), ${pc.bold(served.modelQueue)} (model calls)`);
  console.log(`Models: every name goes to ${baseUrl}${isDefault && !hasKey ? pc.yellow(' (OPENAI_API_KEY is not set: they will fail)') : ''}`);
  console.log('Ctrl-C lets what is under way finish, then ends.');

  let signals = 0;
  const stop = () => {
    signals += 1;
    if (signals > 1) process.exit(INTERRUPTED);
    console.log('Stopping …');
    served.shutdown();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    await served.run();
    return 0;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
