import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { DevServer } from '../../src/apps/server/dev-server';
import { dataConverterFrom } from '../../src/lib/storage';
import { ReflectCommand } from '../apps/cli/reflect-command';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { startPrivateServer } from '../../testing/support/temporal-server';

/** None of them has the form of a key: only who knows them can find them. */
const CANARIES = {
  key: 'canaryKey5b1d90',
  prompt: 'canaryPrompt77aa',
  reply: 'canaryReply3c2e',
  vendor: 'canaryVendor9f04',
};

/** A vendor that quotes what it got: key, prompt, and words of its own. */
function echo(status: number): ScriptEntry {
  const message = `${CANARIES.vendor}: key ${CANARIES.key} is wrong for "${CANARIES.prompt}"`;
  return { status, error: { message, code: 'echoed' }, headers: { 'retry-after-ms': '10' } };
}

const draft = `Write it. ${CANARIES.prompt}`;
const judge = `Is it good? ${CANARIES.prompt} {{ state.reflection_output }}`;

function specOf(maxIterations: number): ReflectionSpec {
  return {
    name: CANARIES.prompt,
    task: CANARIES.prompt,
    state: { note: CANARIES.prompt },
    generator: { action: 'llm.call', prompt: draft, system: CANARIES.prompt },
    evaluator: { type: 'llm', prompt: judge },
    maxIterations,
    convergence: false,
  };
}

interface Found {
  database: string[];
  log: string[];
  metrics: string[];
}

let folder: string;
let server: DevServer;
let model: ScriptedOpenAI;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reflect-canary-'));
  server = await startPrivateServer({ databaseFile: join(folder, 'temporal.db') });
});

afterEach(async () => {
  await server.stop();
  await model.close().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const SCRIPT: ScriptEntry[] = [
  // The first run's draft is refused.
  echo(401),
  // The second run: its draft is tried again, its judge fails for good, twice, and once its reply cannot be read.
  echo(429),
  { reply: CANARIES.reply },
  { reply: `${CANARIES.reply} is not a judgement` },
  echo(400),
  echo(400),
  // The third run's revision fails for good.
  { reply: CANARIES.reply },
  { reply: { pass: false, score: 0.1, issues: [CANARIES.reply] } },
  echo(400),
];

/** Three runs that meet vendors' errors everywhere, on a worker that says all that it can. */
async function run(settings: Record<string, string>): Promise<{ found: Found; messages: string }> {
  model = await ScriptedOpenAI.start({ script: SCRIPT });
  const options = { address: server.address, taskQueue: `canary-${randomUUID()}` };
  const args = ['worker', '--address', options.address, '--task-queue', options.taskQueue, '--port', '0'];
  const env = { ...settings, OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: CANARIES.key, REFLECT_LOG: 'trace' };
  const worker = new ReflectCommand(args, { env });
  await worker.says(/Ctrl-C lets/);
  await worker.says(/Inline code: sandbox level \w+; this machine gives \w+/);
  const dataConverter = dataConverterFrom(settings);
  const client = await ReflectionClient.connect({ ...options, ...(dataConverter ? { dataConverter } : {}) });
  const refused: Error = await client.run(specOf(2)).then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );
  const blocked = await client.run(specOf(2));
  const broken = await client.run(specOf(2));
  expect([blocked.convergenceReason, broken.convergenceReason]).toEqual(['blocked', 'error']);
  await client.close();

  const metricsUrl = /(http:\S+)\/healthz/.exec(worker.stdout)![1]!;
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(metrics).toMatch(/reflect_model_calls_total\{[^}]*outcome="Unauthorized"\} 1\n/);
  expect(metrics).toMatch(/^temporal_worker_task_slots_available\{/m);
  // That would end the page before all was read.
  expect(metrics).not.toContain('# EOF');
  worker.kill('SIGTERM');
  const { stdout, stderr } = await worker.finished;
  expect(stderr).toContain('Model.BadRequest');
  await server.stop();
  const found = { database: await inFolder(), log: canariesIn(stdout + stderr), metrics: canariesIn(metrics) };
  return { found, messages: `${refused.message} ${JSON.stringify([blocked, broken])}` };
}

function canariesIn(text: string): string[] {
  return Object.values(CANARIES).filter((canary) => [canary, ...encoded(canary)].some((form) => text.includes(form)));
}

/** A text that is somewhere inside of a longer one, as base64: cut to what does not depend on its neighbours. */
function encoded(text: string): string[] {
  return [0, 1, 2].map((offset) =>
    Buffer.from(' '.repeat(offset) + text)
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
}

async function inFolder(): Promise<string[]> {
  const files = await readdir(folder);
  expect(files).toContain('temporal.db');
  const bytes = await Promise.all(files.map((file) => readFile(join(folder, file))));
  return canariesIn(Buffer.concat(bytes).toString('latin1'));
}

test('with keys, no canary is in the history database, the log or the metrics', async () => {
  const settings = { REFLECT_CODEC_KEYS: `k1:${randomBytes(32).toString('base64')}` };
  const { found, messages } = await run(settings);
  expect(found).toEqual({ database: [], log: [], metrics: [] });
  // Who has the keys reads what the vendor said, without our key.
  expect(messages).toContain(CANARIES.vendor);
  expect(messages).toContain(CANARIES.prompt);
  expect(messages).not.toContain(CANARIES.key);
}, 60_000);

test('without keys, the database has what was written, but never the API key; log and metrics have nothing', async () => {
  const { found } = await run({});
  expect(found.database.toSorted()).toEqual([CANARIES.prompt, CANARIES.reply, CANARIES.vendor].toSorted());
  expect(found).toMatchObject({ log: [], metrics: [] });
}, 60_000);

test('asked for content, the log shows it: so the other tests would see it', async () => {
  const { found } = await run({ REFLECT_LOG_CONTENT: '1' });
  expect(found.log).toEqual(expect.arrayContaining([CANARIES.vendor, CANARIES.prompt]));
  expect(found.log).not.toContain(CANARIES.key);
}, 60_000);
