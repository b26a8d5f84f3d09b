import pc from 'picocolors';
import { temporalSettings, type TemporalOverrides } from '../config';
import { createWorker } from '../worker';
import { connect } from './connect';
import { onInterrupt } from './interrupts';
import { modelEndpoint } from './model-endpoint';
import { installQuietRuntime } from './quiet-runtime';

/** `reflect worker`: serves runs until it is told to stop, then lets what is under way finish. */
export async function worker(options: TemporalOverrides): Promise<number> {
  // The client explains a server that is not there; the native connection only says that it failed.
  await (await connect(options)).close();
  installQuietRuntime();
  const served = await createWorker(options);
  const { connection, namespace } = temporalSettings(options);
  const { baseUrl, hasKey, isDefault } = modelEndpoint();
  console.log(`Serving Temporal at ${pc.bold(connection.address)}, namespace ${namespace}`);
  console.log(`Queues: ${pc.bold(served.taskQueue)} (runs and checks), ${pc.bold(served.modelQueue)} (model calls)`);
  console.log(
    `Models: every name goes to ${baseUrl}${isDefault && !hasKey ? pc.yellow(' (OPENAI_API_KEY is not set: they will fail)') : ''}`,
  );
  console.log('Ctrl-C lets what is under way finish, then ends.');

  const stopListening = onInterrupt(() => {
    console.log('Stopping …');
    served.shutdown();
  });
  try {
    await served.run();
    return 0;
  } finally {
    stopListening();
  }
}
