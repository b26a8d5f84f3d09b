import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../src/apps/server/ports';
import { startProcess } from '../../../src/apps/server/server-process';
import { ran } from '../../support/pip';
import { weightsFile, withLlamaSources } from './fetch';
import { LLAMA_SOURCES, type WeightsName } from './packages';

const READY_WITHIN_MS = 120_000;
/** Instructions that older processors lack; without them the server is some times slower. */
const AVX2 = ['AVX', 'AVX2', 'FMA', 'F16C', 'BMI2'];

function hasAvx2(): boolean {
  return existsSync('/proc/cpuinfo') && /\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
}

/**
 * The program, built where it is not there yet: 15 minutes and more of one processor.
 *
 * @throws Error
 */
export async function llamaServer(cache: string, jobs: number): Promise<string> {
  const target = join(cache, `llama-server-${LLAMA_SOURCES.version}`);
  if (existsSync(target)) return target;
  await withLlamaSources(cache, async (sources, folder) => {
    const build = join(folder, 'build');
    const off = ['BUILD_SHARED_LIBS', 'GGML_NATIVE', 'LLAMA_USE_PREBUILT_UI', 'LLAMA_OPENSSL', 'LLAMA_BUILD_TESTS'];
    const settings = [
      'CMAKE_BUILD_TYPE=Release',
      ...[...off, 'LLAMA_BUILD_EXAMPLES', 'LLAMA_BUILD_APP'].map((name) => `${name}=OFF`),
      ...AVX2.map((name) => `GGML_${name}=${hasAvx2() ? 'ON' : 'OFF'}`),
    ];
    await ran('cmake', ['-S', sources, '-B', build, ...settings.map((each) => `-D${each}`)]);
    await ran('cmake', ['--build', build, '--target', 'llama-server', '-j', String(jobs)]);
    await mkdir(dirname(target), { recursive: true });
    await rename(join(build, 'bin', 'llama-server'), target);
  });
  return target;
}

/** Weights that are fetched, by their name, or a GGUF file. */
export type ModelWeights = WeightsName | { file: string };

/** Returns what the server calls its model: the name of the weights, or of their file. */
export function modelName(weights: ModelWeights): string {
  return typeof weights === 'string' ? weights : basename(weights.file, '.gguf');
}

export interface LlamaOptions {
  weights: ModelWeights;
  /** Where program and weights are kept. */
  cache: string;
  /** Compilers at once. */
  jobs: number;
  /** Of the server. */
  threads: number;
  /** Tokens of prompt and reply together. */
  context: number;
  onProgress?: (text: string) => void;
}

export interface LlamaServer {
  baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts llama.cpp's server with weights on a free port of this machine; program and weights are made where they are not
 * there yet. It ends with this process.
 *
 * @throws Error with what the server said last
 */
export async function startLlamaServer(options: LlamaOptions): Promise<LlamaServer> {
  const { weights, cache, jobs, threads, context, onProgress } = options;
  const name = modelName(weights);
  onProgress?.(`weights of ${name}`);
  const model = typeof weights === 'string' ? await weightsFile(weights, cache) : weights.file;
  onProgress?.('llama.cpp’s server; to build it takes 15 minutes and more');
  const program = await llamaServer(cache, jobs);
  const port = await freePort();
  const server = startProcess(program, [
    '--model',
    model,
    '--alias',
    name,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    // One request at a time has all of the context, and its times can be compared.
    '--parallel',
    '1',
    '--threads',
    String(threads),
    '--ctx-size',
    String(context),
    '--offline',
  ]);
  const origin = `http://127.0.0.1:${port}`;
  const until = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(origin))) {
    if (server.hasExited() || Date.now() > until) {
      await server.stop();
      throw new Error(`llama.cpp's server did not start:\n${server.lastOutput()}`);
    }
    await sleep(200);
  }
  onProgress?.(`${name} at ${origin}/v1`);
  return { baseUrl: `${origin}/v1`, stop: () => server.stop() };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/health`)).ok;
  } catch {
    return false;
  }
}
