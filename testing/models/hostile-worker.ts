import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { boundedFetch, createWorker, type CustomModel, fromAiSdk, type ModelConfig } from '../../src/worker';

const { REFLECT_TEST_ORIGIN: origin = '', REFLECT_TEST_MODELS = '[]' } = process.env;

/** Models of the owner's code that answer with too much. */
const OWN: CustomModel[] = [
  { name: 'own-text', call: () => Promise.resolve({ text: 'spam '.repeat(20_000_000) }) },
  {
    name: 'own-calls',
    call: () =>
      Promise.resolve({ text: '', toolCalls: Array.from({ length: 1_000_000 }, () => ({ name: 'x', arguments: {} })) }),
  },
];

function compatible(name: string): CustomModel {
  const provider = createOpenAICompatible({ name, baseURL: `${origin}/${name}/v1`, fetch: boundedFetch() });
  return fromAiSdk(provider(name), { name });
}

/** A worker with models that mean no good, as a process of its own. Says `ready` once it polls. */
async function main(): Promise<void> {
  const models = JSON.parse(REFLECT_TEST_MODELS) as ModelConfig[];
  const worker = await createWorker({
    models: [...models, ...OWN, compatible('ai-sdk-zipped'), compatible('ai-sdk-calls')],
    mcpServers: { desk: { url: `${origin}/mcp` } },
    circuitBreaker: { failures: 1 },
  });
  process.stdout.write('ready\n');
  await worker.run();
}

void main();
