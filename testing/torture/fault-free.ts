import { ReflectionClient } from '../../src/client';
import type { ReflectionResult } from '../../src/loop/contract/results';
import { startDevServer } from '../../src/apps/server';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { formula } from './formula';
import { planOf } from './plans';
import { WorkerFleet } from './worker-fleet';

/** The results of loops where nothing fails and answers come at once. Loops that are steered are not among them. */
export async function faultFreeResults(options: {
  cli: string;
  seed: number;
  started: number;
  loops: number;
}): Promise<Record<string, ReflectionResult>> {
  const { cli, seed, started } = options;
  const server = await startDevServer({ cli });
  const model = await ScriptedOpenAI.start({
    script: ({ body }) => formula(body, { hurried: true }),
    responses: 'background',
  });
  const fleet = new WorkerFleet({ address: server.address, modelUrl: model.baseUrl, workers: 1 });
  await fleet.fill();
  const client = await ReflectionClient.connect({ address: server.address });
  const plans = Array.from({ length: started }, (_, index) => planOf(seed, index)).filter(
    ({ commands }) => commands.length === 0,
  );
  const results: Record<string, ReflectionResult> = {};
  const lane = async (): Promise<void> => {
    for (let plan = plans.pop(); plan; plan = plans.pop()) {
      results[plan.loop] = await client.run(plan.spec, { workflowId: `torture-${plan.loop}` });
    }
  };
  await Promise.all(Array.from({ length: options.loops }, lane));
  await client.close();
  await fleet.close();
  await model.close();
  await server.stop();
  return results;
}
