import { randomBytes } from 'node:crypto';
import { ReflectionClient } from '../../src/client';
import { defaultCacheDirectory, findTemporalCli } from '../../src/apps/server';
import { closeStorage, dataConverterFrom } from '../../src/lib/storage';
import { Compose } from './compose';
import type { Engine } from './engine';
import { forward } from './forward';
import { makeImages } from './images';
import { Loops } from './loops';
import { StackModel } from './model';
import { podmanCompose } from './python';

/** The compose file under way, with what loops need from outside of it. */
export interface Stack {
  engine: Engine;
  compose: Compose;
  client: ReflectionClient;
  model: StackModel;
  loops: Loops;
  log(line: string): void;
}

export interface StackOptions {
  /** Milliseconds that the model takes for an answer. */
  callMs: number;
  /** Characters of the text in each draft. */
  draftCharacters: number;
  /** For the workers, beside what every stack has. */
  env?: Record<string, string>;
  log(line: string): void;
}

const secret = (): string => randomBytes(16).toString('hex');

/** Makes images and programs; what was made before is used again. Needs the machine's network. */
export async function prepareStack(engine: Engine): Promise<void> {
  await makeImages(engine);
  await podmanCompose();
  await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
}

/** Brings the compose file up, and takes everything down again that is not a container. */
export async function withStack(
  engine: Engine,
  { callMs, draftCharacters, env, log }: StackOptions,
  use: (stack: Stack) => Promise<void>,
): Promise<void> {
  const model = await StackModel.start({ callMs, draftCharacters });
  const password = secret();
  try {
    const compose = await Compose.open(engine, {
      TEMPORAL_DB_PASSWORD: secret(),
      REFLECT_DB_PASSWORD: password,
      OPENAI_API_KEY: secret(),
      OPENAI_BASE_URL: `http://host.containers.internal:${model.port}/v1`,
      REFLECT_SANDBOX: 'namespaces',
      REFLECT_DEPLOYMENT: 'stack',
      REFLECT_BUILD_ID: 'one',
      ...env,
    });
    await compose.up(log);
    await model.open(await compose.gateway());
    // Their own port is not published, and their address changes when they are started again.
    const payloads = await forward({ host: '127.0.0.1' }, async () => {
      return { host: await compose.addressOf(compose.container('reflect-db')), port: 5432 };
    });
    const storage = `postgres://reflect:${password}@127.0.0.1:${payloads.port}/reflect`;
    const dataConverter = dataConverterFrom({ REFLECT_STORAGE: storage })!;
    const client = await ReflectionClient.connect({ address: '127.0.0.1:7233', dataConverter });
    const { path: cli } = await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
    try {
      await use({ engine, compose, client, model, loops: new Loops(client, model, cli), log });
    } finally {
      await client.close();
      await closeStorage(dataConverter);
      payloads.server.close();
    }
  } finally {
    await model.close();
  }
}
