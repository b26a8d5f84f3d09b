// @ts-check
/** Executes the runs of the loop: `npm run worker`. Ctrl-C stops it after the model calls in progress. */
import { existsSync } from 'node:fs';
import { createWorker } from 'durable-reflection/worker';

if (existsSync('.env')) process.loadEnvFile('.env');

// Without options it reads TEMPORAL_ADDRESS, OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL. Register functions of your
// own, which specs can then name, with `actions: [defineAction({ … })]`.
const worker = await createWorker({});
console.log(`Serves the task queue ${worker.taskQueue}. Ctrl-C stops it.`);
await worker.run();
