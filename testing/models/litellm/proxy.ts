import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../src/apps/server/ports';
import { startProcess } from '../../../src/apps/server/server-process';
import { litellmEnvironment } from './environment';

const READY_WITHIN_MS = 480_000;

/** What LiteLLM is told of a model: `model` with its provider, `api_base`, `mock_response` and others. */
export type LitellmParams = Record<string, unknown>;

export interface LitellmProxy {
  baseUrl: string;
  /** The only key that it takes. */
  key: string;
  stop(): Promise<void>;
}

/**
 * Starts LiteLLM's proxy on a free port of this machine. It makes one call for each that it gets, and ends with this process.
 *
 * @param cache where its virtual environment is kept
 * @throws Error with what pip or the proxy said last
 */
export async function startLitellm(models: Record<string, LitellmParams>, cache: string): Promise<LitellmProxy> {
  const programs = await litellmEnvironment(cache);
  const folder = await mkdtemp(join(tmpdir(), 'litellm-'));
  const config = join(folder, 'config.yaml');
  const key = `sk-${randomBytes(16).toString('hex')}`;
  // JSON is YAML, too.
  await writeFile(config, JSON.stringify(configOf(models, key)));
  const port = await freePort();
  const args = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'];
  // Otherwise it asks the internet for its list of prices.
  const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_MODE: 'PRODUCTION', NO_DOCS: 'True' };
  const server = startProcess(join(programs, 'litellm'), args, { env });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  const until = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(origin))) {
    if (server.hasExited() || Date.now() > until) {
      await stop();
      throw new Error(`LiteLLM's proxy did not start:\n${server.lastOutput()}`);
    }
    await sleep(200);
  }
  return { baseUrl: `${origin}/v1`, key, stop };
}

function configOf(models: Record<string, LitellmParams>, key: string): object {
  return {
    model_list: Object.entries(models).map(([name, params]) => ({
      model_name: name,
      litellm_params: { api_key: 'none', ...params },
    })),
    // Retries are ours, and a model that failed is asked again.
    router_settings: { num_retries: 0, disable_cooldowns: true },
    litellm_settings: { num_retries: 0 },
    general_settings: { master_key: key },
  };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/health/liveliness`)).ok;
  } catch {
    return false;
  }
}
