import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { replyService } from '../../examples/start-from-a-service';
import { streamingService } from '../../examples/stream-to-browser';
import { javascriptSyntax } from '../../examples/syntax-action';
import { codeByCriteria, codeWithValidator, showImprovement, textInDrafts } from '../../examples/usage';
import { installQuietRuntime } from '../../src/apps/cli/worker/quiet-runtime';
import { ReflectionClient } from '../../src/client';
import { createWorker, type ReflectionWorker } from '../../src/worker';
import { parseFile, parseSpecFile } from '../../src/apps/yaml';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptReader } from '../../src/apps/testing/scripted-model/script-reader';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { testAddress } from '../../testing/support/temporal-server';

const EXAMPLES = join(__dirname, '..', '..', 'examples');
const read = (file: string) => readFileSync(join(EXAMPLES, file), 'utf8');
const specOf = (file: string) => parseSpecFile(read(file), file).spec;

/** What a judge by criteria says: yes to every question, or no to the first. */
const checklist = (first: 'yes' | 'no') => ({
  match: 'Questions about the output',
  reply: {
    answers: Array.from({ length: 20 }, (_, index) => ({
      question: `q${index + 1}`,
      finding: 'it forgets the empty case',
      answer: index < 3 ? first : 'yes',
      severity: null,
      path: null,
      suggestion: null,
    })),
    confidence: 1,
  },
});
/** A reply with answers to the questions of its prompt only. */
function withoutMore(entry: ScriptEntry | undefined, request: unknown): ScriptEntry | undefined {
  const reply: unknown = entry && 'reply' in entry ? entry.reply : undefined;
  if (typeof reply !== 'object' || reply === null || !('answers' in reply)) return entry;
  const asked = new Set(JSON.stringify(request).match(/q\d+\. /g)).size;
  return { ...entry, reply: { ...reply, answers: (reply.answers as unknown[]).slice(0, asked) } } as ScriptEntry;
}

const CRITERIA_SCRIPT: ScriptEntry[] = [
  checklist('no'),
  checklist('yes'),
  { match: 'was not accepted', reply: 'the second draft' },
  { reply: 'the first draft' },
];
const VALIDATOR_SCRIPT: ScriptEntry[] = [
  checklist('yes'),
  { match: 'was not accepted', reply: 'const slug = (title) => title.toLowerCase();' },
  { reply: 'const slug = (title => title;' },
];

/** What the model says in each example. An example without an entry here fails. */
const SCRIPTS: Record<string, ScriptEntry[]> = {
  'json-generation.yaml': JSON.parse(read('demo-script.json')) as ScriptEntry[],
  'code-by-criteria.yaml': CRITERIA_SCRIPT,
  'release-note.yaml': CRITERIA_SCRIPT,
  'tutorial-drafts.yaml': CRITERIA_SCRIPT,
  'code-generation.yaml': VALIDATOR_SCRIPT,
  'picture-caption.yaml': [
    {
      match: 'Is everything in the sentence',
      reply: { valid: false, score: 0.3, reason: 'no color', suggestions: ['Name the color.'], issues: [] },
    },
    {
      match: 'Is everything in the sentence',
      reply: { valid: true, score: 0.9, reason: 'a red circle', suggestions: [], issues: [] },
    },
    { match: 'was not accepted', reply: 'A red circle on white.' },
    { match: 'data:image/png;base64,', reply: 'A circle.' },
  ],
  'summary-with-judge.yaml': [
    {
      match: 'Judge this summary',
      reply: { valid: false, score: 0.3, reason: 'too vague', suggestions: ['Name the cause.'], issues: [] },
    },
    {
      match: 'Judge this summary',
      reply: { valid: true, score: 0.95, reason: 'clear', suggestions: [], issues: [] },
    },
    { match: 'was not accepted', reply: 'An import that was started by hand blocked checkout.' },
    { reply: 'Something was slow.' },
  ],
};

let reader: ScriptReader;
let scripted: ScriptedOpenAI;
let client: ReflectionClient;
let worker: ReflectionWorker;
let working: Promise<void>;

beforeAll(async () => {
  installQuietRuntime('ERROR');
  const taskQueue = `examples-${randomUUID()}`;
  const address = testAddress();
  scripted = await ScriptedOpenAI.start({ script: (request) => withoutMore(reader.next(request), request) });
  worker = await createWorker({
    address,
    taskQueue,
    actions: [javascriptSyntax],
    models: [{ name: 'script', model: 'script', baseUrl: scripted.baseUrl }],
  });
  working = worker.run();
  client = await ReflectionClient.connect({ address, taskQueue });
}, 60_000);

afterAll(async () => {
  await client?.close();
  worker?.shutdown();
  await working;
  await scripted?.close();
});

/** From now on, the model says what a script has. */
function modelSays(script: readonly ScriptEntry[]): void {
  reader = new ScriptReader(script);
}

const FILES = readdirSync(EXAMPLES).filter((file) => file.endsWith('.yaml'));
const isLoop = (file: string) => parseFile(read(file), file).kind === 'loop';

test.each(FILES.filter(isLoop))(
  'examples/%s fails first, is revised, and passes',
  async (file) => {
    modelSays(SCRIPTS[file]!);
    const result = await client.run(specOf(file));
    const outcomes = result.history.versions.map(({ evaluation }) => evaluation.outcome);
    expect(outcomes.at(0)).toBe('fail');
    expect(outcomes.at(-1)).toBe('pass');
    expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met' });
    expect(result.history.versions.flatMap(({ warnings }) => warnings)).toEqual([]);
  },
  60_000,
);

test('examples/llm-as-judge.yaml takes facts to an announcement that its judge lets pass, and to a subject', async () => {
  const file = 'llm-as-judge.yaml';
  expect(FILES.filter((each) => !isLoop(each))).toEqual([file]);
  const example = parseFile(read(file), file);
  if (example.kind !== 'pipeline') throw new Error('it is a pipeline');
  const judgement = (valid: boolean) => ({ valid, score: valid ? 0.9 : 0.4, reason: 'when is it?' });
  const script: ScriptEntry[] = [
    { match: 'Judge this announcement', reply: judgement(false) },
    { match: 'Judge this announcement', reply: judgement(true) },
    { match: 'List the facts', reply: 'no water\nTuesday 9-11' },
    { match: 'was not accepted', reply: 'No water on Tuesday 9-11.' },
    { match: 'Tuesday 9-11.*notice board|notice board.*Tuesday 9-11', reply: 'No water.' },
    { match: 'six words for: [^]*No water on Tuesday', reply: 'No water on Tuesday' },
  ];
  modelSays(script);
  const { state, nodes } = await client.pipelines.run(example.spec);
  expect(state).toMatchObject({
    success: true,
    facts: 'no water\nTuesday 9-11',
    announcement: 'No water on Tuesday 9-11.',
    reflection_iteration: 2,
    subject: 'No water on Tuesday',
  });
  expect(nodes.map(({ name, warnings }) => [name, warnings])).toEqual([
    ['facts', undefined],
    ['announce', undefined],
    ['subject', undefined],
  ]);
}, 60_000);

test.each([
  [codeByCriteria, 'code-by-criteria.yaml', CRITERIA_SCRIPT, /^1: 0\.\d\d, .*it forgets the empty case/],
  [codeWithValidator, 'code-generation.yaml', VALIDATOR_SCRIPT, /^1: 0\.00, .*cannot be parsed: /],
  [textInDrafts, 'tutorial-drafts.yaml', CRITERIA_SCRIPT, /^1: 0\.\d\d, .*it forgets the empty case/],
] as const)(
  '$name in TypeScript is what its YAML file says, and shows how it got better',
  async (spec, file, script, first) => {
    expect(spec).toEqual(specOf(file));
    modelSays(script);
    const lines = await showImprovement(client, spec);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(first);
    expect(lines[1]).toMatch(/^2: 1\.00$/);
  },
  60_000,
);

test('the service of the example starts a loop for each request', async () => {
  const reply = { subject: 'Your kettle leaks', body: 'We are sorry that your kettle leaks. We will look into it.' };
  const script: ScriptEntry[] = [
    { match: 'Does this draft answer', reply: { valid: true, score: 1, reason: 'kind', suggestions: [], issues: [] } },
    { match: 'the kettle leaks', reply: JSON.stringify(reply) },
  ];
  modelSays(script);
  const service = replyService(client).listen(0);
  const { port } = service.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/replies`, { method: 'POST', body: 'the kettle leaks' });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ reply, success: true, convergenceReason: 'quality_met' });
  await new Promise((resolve) => service.close(resolve));
}, 60_000);

/** What a browser gets of a run: the events until one that is enough, or all. */
async function browserEvents(url: string, headers: Record<string, string> = {}, enough = 'ended') {
  const gone = new AbortController();
  const { body } = await fetch(url, { headers, signal: gone.signal });
  const events: { id: string; type: string; data: { delta?: string; output?: string } }[] = [];
  let text = '';
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const whole = text.split('\n\n');
    text = whole.pop()!;
    for (const event of whole) {
      const [, id, type, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(event) ?? [];
      events.push({ id: id!, type: type!, data: JSON.parse(data!) as { delta?: string } });
      if (type !== enough) continue;
      gone.abort();
      return events;
    }
  }
  return events;
}

test('examples/stream-to-browser.ts sends a text while it is written, and goes on where a browser was', async () => {
  const note = 'The roof is repaired next week. '.repeat(12).trim();
  modelSays([{ reply: note, chunkDelayMs: 150 }]);
  const server = streamingService(client).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(base)).headers.get('content-type')).toBe('text/html');
  const started = await fetch(`${base}/runs`, { method: 'POST' });
  const { workflowId } = (await started.json()) as { workflowId: string };
  const url = `${base}/runs/${workflowId}`;
  const first = await browserEvents(url, {}, 'text');
  expect(first[0]!.data.delta!.length).toBeLessThan(note.length);
  const rest = await browserEvents(url, { 'last-event-id': first[0]!.id });
  expect([...first, ...rest].map(({ data }) => data.delta ?? '').join('')).toBe(note);
  expect(rest.slice(-3).map(({ type }) => type)).toEqual(['version', 'verdict', 'ended']);
  expect(rest.at(-1)!.data.output).toBe(note);
  expect((await fetch(`${base}/runs/none`)).status).toBe(404);
  expect((await fetch(url, { headers: { 'last-event-id': 'x' } })).status).toBe(500);
  server.close();
}, 60_000);
