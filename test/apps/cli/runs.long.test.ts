import { randomUUID } from 'node:crypto';
import { OPTIONAL_FEATURES } from '../../../src/lib/optional-packages';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { testAddress } from '../../../testing/support/temporal-server';
import { type Finished, ReflectCommand, reflect } from './reflect-command';

const QUEUE = `cli-${randomUUID()}`;

/** Each test's prompt carries its own word, so that one scripted server answers them all. */
const SCRIPT: ScriptEntry[] = [
  { match: 'word-improves', reply: 'Here: {"age": "unknown"}' },
  { match: 'word-improves', times: 'always', reply: '{"age": "41"}' },
  { match: 'word-never', times: 'always', reply: '{"age": "unknown"}' },
  { match: 'word-stdin about tea', times: 'always', reply: '{"age": 3}' },
  { match: 'word-accept', reply: '{"age": "old\\u001b]0;title\\u0007"}' },
  { match: 'word-accept', fault: 'hang' },
  { match: 'word-hang', times: 'always', fault: 'hang' },
  { match: 'Reply with', reply: { ok: true } },
];

const spec = (word: string, more = '') => `
name: ${word}
generator: { action: llm.call, prompt: "${word} {{ state.topic }}" }
evaluator:
  type: schema
  schema:
    type: object
    required: [age]
    properties: { age: { type: integer } }
${more}`;

let scripted: ScriptedOpenAI;
let worker: ReflectCommand;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  scripted = await ScriptedOpenAI.start({ script: SCRIPT });
  environment = { TEMPORAL_ADDRESS: testAddress(), REFLECT_TASK_QUEUE: QUEUE, OPENAI_BASE_URL: scripted.baseUrl };
  worker = new ReflectCommand(['worker', '--drain', '0s'], { env: environment });
  await worker.says(/Ctrl-C lets/);
}, 60_000);

afterAll(async () => {
  worker?.kill('SIGTERM');
  const finished = await worker?.finished;
  await scripted?.close();
  expect(finished?.code).toBe(0);
}, 30_000);

const command = (args: string[], input = '') => reflect(args, { env: environment, input });
const started = (args: string[], input = '') => new ReflectCommand(args, { env: environment, input });

async function detached(word: string): Promise<string> {
  const { stdout } = await command(['run', '-', '--detach', '--workflow-id', `${word}-${randomUUID()}`], spec(word));
  return stdout.trim();
}

async function json(finished: Promise<Finished>): Promise<never> {
  return JSON.parse((await finished).stdout) as never;
}

test('the worker says what it serves, and nothing secret', () => {
  expect(worker.stdout).toContain(testAddress());
  expect(worker.stdout).toContain(`${QUEUE}-models`);
  expect(worker.stdout).toContain(scripted.baseUrl);
});

test('run follows a file to its end: scores, what failed, what changed, result, link', async () => {
  const { code, stdout } = await command(['run', '-'], spec('word-improves'));
  expect(stdout).toMatch(/#1 {2}✗ fail {2}score 0\.00 .*draft/);
  expect(stdout).toMatch(/✗ age: must be integer, got "unknown"/);
  expect(stdout).toMatch(/#2 {2}✓ pass {2}score 1\.00 \(\+1\.00\).*revision/);
  expect(stdout).toMatch(/changed age: "unknown" → 41/);
  expect(stdout).toMatch(/✓ quality_met · 2 versions · .*2 model calls/);
  expect(stdout).toContain('Result (version 2)\n{\n  "age": 41\n}');
  expect(stdout).toMatch(
    /The run in the Web UI:\nhttp:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/word-improves-[a-z2-9]{8}$/m,
  );
  expect(code).toBe(0);
});

test('a run that ends without a good version: exit code 2, with --json the result alone on standard output', async () => {
  const { code, stdout, stderr } = await command(['run', '-', '--json'], spec('word-never', 'max_iterations: 2\n'));
  expect(JSON.parse(stdout)).toMatchObject({ success: false, exhausted: true, convergenceReason: 'max_iterations' });
  expect(stderr).toMatch(/#2 {2}✗ fail/);
  expect(code).toBe(2);
  const raised = await command(['run', '-'], spec('word-never', 'max_iterations: 2\non_failure: raise\n'));
  expect(raised.stderr).toMatch(/^ReflectionFailedError: No version was good enough: max_iterations after 2 versions/m);
  expect(raised.stdout).toMatch(/#2 {2}✗ fail/);
  expect(raised.code).toBe(2);
});

test('--state reaches the templates', async () => {
  const { code, stdout } = await command(['run', '-', '--json', '--state', 'topic=about tea'], spec('word-stdin'));
  expect(JSON.parse(stdout)).toMatchObject({ finalOutput: { age: 3 } });
  expect(code).toBe(0);
});

test('mistakes are told with line and column, also those that only the worker finds', async () => {
  const early = await command(['run', '-'], spec('word', 'max_iteration: 2\n'));
  expect(early.stderr).toBe(
    'InvalidSpec: (stdin) has 1 mistake:\n(stdin):10:1  max_iteration: unknown field (did you mean max_iterations?)\n',
  );
  expect(early.code).toBe(1);
  const late = await command(
    ['run', '-', '--state', 'topic=tea'],
    spec('word').replace('type: integer', 'type: whole'),
  );
  expect(late.stderr).toMatch(
    /^InvalidSpec: \(stdin\) has \d mistakes?:\n\(stdin\):9:\d+ {2}evaluator\.schema\.properties\.age\.type: /,
  );
  expect(late.code).toBe(1);
  const unknown = await command(
    ['run', '-'],
    spec('word').replace('llm.call, prompt: "word {{ state.topic }}"', 'nobody.has'),
  );
  expect(unknown.stderr).toMatch(
    /^UnknownAction: \(stdin\) has 1 mistake:\n\(stdin\):3:14 {2}generator\.action: .*nobody\.has/,
  );
});

test('abort: a call that never answers; show says where it stands; list finds it', async () => {
  const id = await detached('word-hang');
  const standing = await json(command(['show', id, '--json']));
  expect(standing).toMatchObject({ workflowId: id, status: 'RUNNING', versions: [] });
  expect((await command(['show', id])).stdout).toMatch(
    /^(checking the spec|writing the draft · the loop makes at most 3 versions) · no version judged yet/m,
  );
  const aborted = await command(['abort', id, '--by', 'operations', '--reason', 'test']);
  expect(aborted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Aborted\.\n/) });
  expect(await json(command(['show', id, '--json']))).toMatchObject({
    status: 'COMPLETED',
    result: { convergenceReason: 'aborted', history: { people: [{ name: 'abort', by: 'operations', via: 'update' }] } },
  });
  const again = await command(['abort', id]);
  expect(again.stderr).toMatch(/^RunEnded: The run ".*" has ended \(completed\)/);
  expect(again.code).toBe(1);
  const nobody = await command(['show', 'no-such-run']);
  expect(nobody.stderr).toMatch(/^RunNotFound: There is no run "no-such-run"/);
});

test('accept: ends with the version that a person takes; whoever follows sees it', async () => {
  const id = `word-accept-${randomUUID()}`;
  const run = started(['run', '-', '--workflow-id', id], spec('word-accept'));
  await run.says(/#1 {2}✗ fail/);
  const early = await command(['accept', id, '--iteration', '7']);
  expect(early.stderr).toMatch(/^CommandRefused: .*iteration 7 is not the current one/);
  const accepted = await command(['accept', id, '--iteration', '1', '--by', 'reviewer']);
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Accepted version 1\./) });
  const { code, stdout } = await run.finished;
  expect(stdout).toMatch(/✓ user_accepted/);
  // What a model wrote cannot steer the terminal of whoever watches.
  expect(stdout).not.toContain('\u001b');
  expect(code).toBe(0);
  expect((await command(['show', id, '--output'])).stdout).toContain('"age": "old');
});

test('show --follow tells what happened, follows to the end, and ends as run does', async () => {
  const id = `word-never-${randomUUID()}`;
  await command(['run', '-', '--detach', '--workflow-id', id], spec('word-never', 'max_iterations: 2\n'));
  const { code, stdout } = await command(['show', id, '--follow']);
  expect(stdout).toMatch(new RegExp(`^${id} .*started`));
  expect(stdout).toMatch(/#1 {2}✗ fail[^]*#2 {2}✗ fail[^]*✗ max_iterations/);
  expect(code).toBe(2);
  const asJson = await command(['show', id, '-f', '--json']);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ success: false });
  expect(asJson.code).toBe(2);
});

test('a run that waits says once what to type; whoever answers with --json gets the progress', async () => {
  const id = `word-never-${randomUUID()}`;
  const review = 'review: { when: every_iteration, timeout: 1h }\n';
  const run = started(['run', '-', '--workflow-id', id], spec('word-never', review));
  await run.says(/npx reflect abort/);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(run.stdout.match(/It waits for/g)).toHaveLength(1);
  expect(run.stdout).toContain(`  npx reflect accept ${id} --iteration 1\n`);
  const accepted = await command(['accept', id, '--iteration', '1', '--json']);
  expect(JSON.parse(accepted.stdout)).toMatchObject({ iteration: 1, tokenUsage: { modelCalls: 1 } });
  expect((await run.finished).stdout).toMatch(/user_accepted/);
});

test('Ctrl-C lets go of a run and says how to come back; the run goes on', async () => {
  const id = `word-hang-${randomUUID()}`;
  const run = started(['run', '-', '--workflow-id', id], spec('word-hang'));
  await run.says(/word-hang {2}/);
  run.kill('SIGINT');
  const { code, stderr } = await run.finished;
  expect(stderr).toContain(`npx reflect show ${id}`);
  expect(stderr).toContain(`npx reflect abort ${id}`);
  expect(code).toBe(130);
  const twice = await command(['run', '-', '--workflow-id', id, '--state', 'topic=tea'], spec('word-hang'));
  expect(twice.stderr).toMatch(/^AlreadyRunning: The run ".*" is there already/);
  expect((await command(['abort', id])).code).toBe(0);
});

test('list shows runs, the latest first, as a table and as JSON', async () => {
  const id = await detached('word-hang');
  await command(['abort', id]);
  const listed = async () => (await command(['list', '--status', 'aborted', '--limit', '1000'])).stdout;
  let table = await listed();
  // The run list is filled a moment after a run ended.
  for (let attempt = 0; attempt < 20 && !table.includes(id); attempt++) table = await listed();
  expect(table).toMatch(/^run +kind +status +versions +best +why it ended/);
  expect(table).toMatch(new RegExp(`^${id} +loop +aborted +0 +– +aborted`, 'm'));
  const entries = (await json(command(['list', '--json', '--limit', '2']))) as { workflowId: string }[];
  expect(entries).toHaveLength(2);
});

test('doctor finds everything in order', async () => {
  const { code, stdout } = await command(['doctor', '--fix', '--call']);
  // Thirteen things, and each feature that needs a package of its own.
  expect(stdout.match(/^✓/gm)).toHaveLength(13 + Object.keys(OPTIONAL_FEATURES).length);
  const level = process.platform === 'linux' ? 'namespaces' : 'process';
  expect(stdout).toContain(`✓ Inline code: sandbox level ${level}`);
  expect(stdout).toMatch(/^✓ External calls: /m);
  expect(stdout).toContain('All is well.');
  expect(code).toBe(0);
});
