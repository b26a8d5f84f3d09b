import type { ReflectionClient } from '../../src/client';
import { eventually } from './eventually';

/** Makes a build the current one, as `temporal worker deployment set-current-version` does. */
export async function makeCurrent(client: ReflectionClient, buildId: string): Promise<void> {
  const { connection, options } = client.temporal;
  const request = { namespace: options.namespace, deploymentName: 'stack', buildId };
  await eventually(
    `build ${buildId} is current`,
    async () => connection.workflowService.setWorkerDeploymentCurrentVersion(request),
    () => true,
  );
}
