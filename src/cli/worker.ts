import pc from 'picocolors';
import { temporalSettings, type TemporalOverrides, type WorkerDeployment } from '../config';
import { createWorker } from '../worker';
import { connect } from './connect';
import { onInterrupt } from './interrupts';
import { modelEndpoint } from './model-endpoint';
import { installQuietRuntime } from './quiet-runtime';

/** A worker whose version is not current waits in silence, so it says how to make it current. */
export function versionText({ name, buildId }: WorkerDeployment, address: string, namespace: string): string {
  const where = `--address ${address} --namespace ${namespace}`;
  return [
    `Version: ${pc.bold(`${name}.${buildId}`)}. It gets new runs only once it is current:`,
    `  temporal worker deployment set-current-version --deployment-name ${name} --build-id ${buildId} ${where}`,
  ].join('\n');
}

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
  if (served.deployment) console.log(versionText(served.deployment, connection.address, namespace));
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
