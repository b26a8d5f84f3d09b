import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { replyService } from '../../examples/start-from-a-service';
import { installQuietRuntime } from '../../src/cli/quiet-runtime';
import { ReflectionClient } from '../../src/client';
import { createWorker, type ReflectionWorker } from '../../src/worker';
import { parseSpecFile } from '../../src/yaml/index';
import type { ScriptEntry } from '../scripted-openai/script';
import { ScriptedOpenAI } from '../scripted-openai/server';
import { testAddress } from '../support/temporal-server';

const EXAMPLES = join(__dirname, '..', '..', 'examples');
const read = (file: string) => readFileSync(join(EXAMPLES, file), 'utf8');
const specOf = (file: string) => parseSpecFile(read(file), file).spec;

/** What the model says in each example. An example without an entry here fails. */
const SCRIPTS: Record<string, ScriptEntry[]> = {
  'json-generation.yaml': JSON.parse(read('demo-script.json')) as ScriptEntry[],
  'summary-with-judge.yaml': [
    {
      match: 'Judge this summary',
      reply: { valid: false, score: 0.3, reason: 'too vague', suggestions: ['Name the cause.'], issues: [] },
    },
    {
      match: 'Judge this summary',
      reply: { valid: true, score: 0.95, reason: 'clear', suggestions: [], issues: [] },
    },
    { match: 'You revise', reply: 'An import that was started by hand blocked checkout.' },
    { reply: 'Something was slow.' },
  ],
};

beforeAll(() => installQuietRuntime('ERROR'));

/** Runs `work` with a worker whose model says what a script has. */
async function withWorker<T>(script: ScriptEntry[], work: (client: ReflectionClient) => Promise<T>): Promise<T> {
  const taskQueue = `examples-${randomUUID()}`;
  const address = testAddress();
  const scripted = await ScriptedOpenAI.start({ script });
  const worker: ReflectionWorker = await createWorker({
    address,
    taskQueue,
    models: [{ name: 'script', model: 'script', baseUrl: scripted.baseUrl }],
  });
  const working = worker.run();
  const client = await ReflectionClient.connect({ address, taskQueue });
  try {
    return await work(client);
  } finally {
    await client.close();
    worker.shutdown();
    await working;
    await scripted.close();
  }
}

test.each(readdirSync(EXAMPLES).filter((file) => file.endsWith('.yaml')))(
  'T1 T6 examples/%s fails first, is revised, and passes',
  async (file) => {
    const result = await withWorker(SCRIPTS[file]!, (client) => client.run(specOf(file)));
    const outcomes = result.history.versions.map(({ evaluation }) => evaluation.outcome);
    expect(outcomes.at(0)).toBe('fail');
    expect(outcomes.at(-1)).toBe('pass');
    expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met' });
    expect(result.history.versions.flatMap(({ warnings }) => warnings)).toEqual([]);
  },
  60_000,
);

test('D4 the service of the example starts a loop for each request', async () => {
  const reply = { subject: 'Your kettle leaks', body: 'We are sorry that your kettle leaks. We will look into it.' };
  const script: ScriptEntry[] = [
    { match: 'Does this draft answer', reply: { valid: true, score: 1, reason: 'kind', suggestions: [], issues: [] } },
    { match: 'the kettle leaks', reply: JSON.stringify(reply) },
  ];
  await withWorker(script, async (client) => {
    const service = replyService(client).listen(0);
    const { port } = service.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/replies`, { method: 'POST', body: 'the kettle leaks' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ reply, success: true, convergenceReason: 'quality_met' });
    await new Promise((resolve) => service.close(resolve));
  });
}, 60_000);
