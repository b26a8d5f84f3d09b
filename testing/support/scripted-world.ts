import type { ModelConfig, ReflectionWorkerOptions } from '../../src/worker';
import type { Script } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI, type ScriptedServerOptions } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from './loop-world';

/** A scripted model of its own, and workers that call it. */
export interface ScriptedWorld extends LoopWorld {
  model: ScriptedOpenAI;
  /** Another worker, on the same queue. */
  another(): Promise<LoopWorld>;
}

/**
 * Gives a test a model and a worker that nobody else uses, and ends them: for tests that wait more than they work, which run
 * side by side (`test.concurrent`), so that the address of the model cannot stand in the environment.
 */
export async function inScriptedWorld(
  {
    models,
    responses,
    ...options
  }: Omit<ReflectionWorkerOptions, 'models'> & {
    models?: readonly ModelConfig[];
    responses?: ScriptedServerOptions['responses'];
  },
  script: Script,
  use: (world: ScriptedWorld) => Promise<void>,
): Promise<void> {
  const model = await ScriptedOpenAI.start({ script, ...(responses === undefined ? {} : { responses }) });
  const called = (models ?? [{ name: 'scripted', model: 'scripted-1' }]).map((one) => ({
    ...one,
    baseUrl: model.baseUrl,
  }));
  const open = new Set<LoopWorld>();
  const start = async (taskQueue?: string): Promise<LoopWorld> => {
    const world = await startWorld({ ...options, models: called, ...(taskQueue === undefined ? {} : { taskQueue }) });
    open.add(world);
    const close = (): Promise<void> => (open.delete(world) ? world.close() : Promise.resolve());
    return { ...world, close };
  };
  try {
    const first = await start();
    await use({ ...first, model, another: () => start(first.client.taskQueue) });
  } finally {
    for (const world of open) await world.close();
    await model.close();
  }
}
