import { Engine, missingHere, PACKAGES } from './engine';

/** An engine in which containers run, or why there is none. */
async function startEngine(): Promise<Engine | string> {
  const missing = await missingHere();
  if (missing.length > 0) return `${missing.join(', ')} missing. apt-get install ${PACKAGES.join(' ')}`;
  const engine = await Engine.start();
  try {
    await engine.probe();
    return engine;
  } catch (error) {
    await engine.close();
    return (error as Error).message;
  }
}

/** Runs a script in a container engine, and ends the process; with `--if-available` well where no container can be run. */
export async function inEngine(script: (engine: Engine) => Promise<void>): Promise<never> {
  const engine = await startEngine();
  if (typeof engine === 'string') {
    console.log(`No containers can be run here: ${engine}`);
    process.exit(process.argv.includes('--if-available') ? 0 : 1);
  }
  const stop = (): void => void engine.close().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  let code = 0;
  try {
    await script(engine);
  } catch (error) {
    console.error(error);
    code = 1;
  }
  await engine.close();
  process.exit(code);
}
