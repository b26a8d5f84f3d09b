/**
 * A worker that registers the rules for orders. Needs a Temporal server and a model:
 *
 *     npx reflect server
 *     OPENAI_API_KEY=… npx tsx examples/order-extraction/worker.ts
 *
 * With `--scripted`, the replies in scripted-answers.json stand in for a model. They match the order in order-email.txt,
 * with mistakes at first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorker, type ModelConfig, type ReflectionWorker } from 'durable-reflection/worker';
import { ScriptedOpenAI, type ScriptEntry } from 'durable-reflection/testing';
import { checkOrder } from './rules';

export async function orderWorker(
  where: { address?: string; taskQueue?: string } = {},
  models: ModelConfig[] = [],
): Promise<ReflectionWorker> {
  return createWorker({ ...where, models, actions: [checkOrder] });
}

/** A scripted model that speaks OpenAI's protocol. */
async function scriptedModel(): Promise<{ models: ModelConfig[]; close(): Promise<void> }> {
  const script = JSON.parse(readFileSync(join(__dirname, 'scripted-answers.json'), 'utf8')) as ScriptEntry[];
  const server = await ScriptedOpenAI.start({ script });
  return { models: [{ name: 'script', model: 'script', baseUrl: server.baseUrl }], close: () => server.close() };
}

async function main(): Promise<void> {
  const scripted = process.argv.includes('--scripted') ? await scriptedModel() : undefined;
  if (scripted) console.log('A script stands in for a model: its replies are written in scripted-answers.json.');
  const worker = await orderWorker({}, scripted?.models);
  process.once('SIGINT', () => worker.shutdown());
  console.log(`Serves orders on the queue ${worker.taskQueue}; Ctrl-C ends it.`);
  await worker.run();
  await scripted?.close();
}

if (require.main === module) void main();
