/**
 * Runs docker-compose.yml as it is, with images that are made here, and breaks it as machines break:
 *
 *   npm run test:stack                       needs root on Debian, with the packages that it names if they are missing
 *   npm run test:stack -- --if-available     ends well where there is no container engine, and says so
 *
 * The first time, Temporal's server is built from its sources, which took 46 minutes on two busy cores. What was built is
 * kept in `.reflect/stack`, or in the folder that `REFLECT_STACK_CACHE` names.
 */
import { randomBytes } from 'node:crypto';
import { ReflectionClient } from '../src/client';
import { closeStorage, dataConverterFrom } from '../src/storage/index';
import { defaultCacheDirectory, findTemporalCli } from '../src/server/index';
import { Compose } from './stack/compose';
import { Engine, missingHere, PACKAGES } from './stack/engine';
import { forward } from './stack/forward';
import { makeImages } from './stack/images';
import { Loops } from './stack/loops';
import { StackModel } from './stack/model';
import { playScenes } from './stack/scenes';

/** Of the worker's image over its base. */
const MOST_MEGABYTES = 250;
const CALL_MS = 700;

const started = performance.now();
const log = (line: string): void => {
  console.log(`${((performance.now() - started) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
};

async function main(): Promise<boolean> {
  const missing = await missingHere();
  if (missing.length > 0) {
    console.log(`No containers can be run here: ${missing.join(', ')} missing. apt-get install ${PACKAGES.join(' ')}`);
    return process.argv.includes('--if-available');
  }
  const engine = await Engine.start();
  const stop = (): void => void engine.close().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    await test(engine);
    return true;
  } finally {
    await engine.close();
  }
}

async function test(engine: Engine): Promise<void> {
  const { addedBytes } = await makeImages(engine);
  const megabytes = Math.round(addedBytes / 1e6);
  log(`the image adds ${megabytes} MB to its base`);
  if (megabytes > MOST_MEGABYTES) throw new Error(`the image adds more than ${MOST_MEGABYTES} MB`);
  const model = await StackModel.start(CALL_MS);
  const secret = (): string => randomBytes(16).toString('hex');
  const compose = await Compose.open(engine, {
    TEMPORAL_DB_PASSWORD: secret(),
    REFLECT_DB_PASSWORD: secret(),
    OPENAI_API_KEY: secret(),
    OPENAI_BASE_URL: `http://host.containers.internal:${model.port}/v1`,
    REFLECT_RECOVERY: 'steady',
    REFLECT_SANDBOX: 'namespaces',
    REFLECT_DEPLOYMENT: 'stack',
    REFLECT_BUILD_ID: 'one',
  });
  try {
    await compose.up((line) => log(line));
    await model.open(await compose.gateway());
    const payloads = await forward({ host: '127.0.0.1' }, async () => {
      return { host: await compose.address('reflect-db'), port: 5432 };
    });
    const storage = `postgres://reflect:${compose.env['REFLECT_DB_PASSWORD']}@127.0.0.1:${payloads.port}/reflect`;
    const dataConverter = dataConverterFrom({ REFLECT_STORAGE: storage })!;
    const client = await ReflectionClient.connect({ address: '127.0.0.1:7233', dataConverter });
    const { path: cli } = await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
    try {
      const loops = new Loops(client, model, cli);
      await playScenes({ engine, compose, client, loops, log });
      log(
        `${loops.ended} loops ended; ${loops.requests} requests in ${loops.attempts} attempts, none that was recorded before`,
      );
    } finally {
      await client.close();
      await closeStorage(dataConverter);
      payloads.server.close();
    }
  } finally {
    await model.close();
  }
}

main().then(
  (passed) => process.exit(passed ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
