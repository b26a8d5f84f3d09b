// @ts-check
/**
 * Executes the runs of the loop: `npm run worker`. Ctrl-C stops it after the model calls in progress. Without a key,
 * `npm run worker -- --scripted` takes the replies below in place of a model.
 */
import { existsSync } from 'node:fs';
import { createWorker } from 'durable-reflection/worker';

if (existsSync('.env')) process.loadEnvFile('.env');

/** @type {{ close(): Promise<void> } | undefined} */
let scripted;
if (process.argv.includes('--scripted')) {
  const { judges, ScriptedOpenAI } = await import('durable-reflection/testing');
  /** @param {import('durable-reflection/testing').ScriptedRequest} request */
  const isRevision = ({ body }) => body.messages.some(({ role }) => role === 'assistant');
  /** @param {import('durable-reflection/testing').ScriptedRequest} request */
  const isCard = ({ text }) => text.includes('contact card');
  const robin = { name: 'Robin', email: 'robin@example.com' };
  /** @type {{ times: 'always', delayMs: number }} */
  const always = { times: 'always', delayMs: 1_000 };
  const model = await ScriptedOpenAI.start({
    script: [
      // Judges of other loops than loop.yaml reject a first draft, and nothing else.
      { ...judges.fail('it is only a draft', { about: 'a scripted draft' }), ...always },
      { ...judges.pass(), ...always },
      // A revision carries on the conversation in which the draft, with a mistake that the schema finds, is an answer.
      { match: (request) => isCard(request) && isRevision(request), reply: { ...robin, phone: '555-0142' }, ...always },
      { match: isCard, reply: { ...robin, phone: '555 0142' }, ...always },
      { match: isRevision, reply: 'This is a scripted revision.', ...always },
      { reply: 'This is a scripted draft.', ...always },
    ],
  });
  scripted = model;
  process.env['OPENAI_BASE_URL'] = model.baseUrl;
} else if (!process.env['OPENAI_API_KEY'] && !process.env['OPENAI_BASE_URL']) {
  console.warn(
    'OPENAI_API_KEY is not set, so calls of a model will fail. To try without one: npm run worker -- --scripted',
  );
}

// Without options it reads TEMPORAL_ADDRESS, OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL. Register functions of your
// own, which specs can then name, with `actions: [defineAction({ … })]`.
const worker = await createWorker({});
console.log(`Serves the task queue ${worker.taskQueue}. Ctrl-C stops it.`);
await worker.run();
// The process ends once nothing listens any more.
await scripted?.close();
