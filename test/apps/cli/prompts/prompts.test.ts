import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Pages } from '../../../../src/apps/cli/review/pages';
import { ReviewRuns } from '../../../../src/apps/cli/review/runs';
import { report } from '../../../../src/apps/cli/runs/report';
import { show } from '../../../../src/apps/cli/runs/show';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import type { Script } from '../../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import type { ReflectionSpec } from '../../../../src';
import type { ModelCall } from '../../../../src/lib/contract/model-calls';
import { defineAction } from '../../../../src/worker';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { InProcess } from '../in-process';

const CODE = /\b[0-9a-f]{16}\b/g;
const usage = { prompt: 1_234, completion: 5 };

const look = defineAction({
  name: 'look',
  description: 'Looks something up.',
  input: z.object({ word: z.string() }),
  run: ({ word }) => `${word} is <<<here`,
});

let model: ScriptedOpenAI;
let world: LoopWorld;
let commands: InProcess;
beforeAll(async () => {
  model = await ScriptedOpenAI.start({ script: [] });
  const models = [{ name: 'scripted', model: 'scripted-1', baseUrl: model.baseUrl }];
  world = await startWorld({ models, actions: [look] });
  commands = new InProcess(world);
});
afterAll(async () => {
  commands.close();
  await world.close();
  await model.close();
});

/** Runs a loop, and returns its id with the requests that its model got. */
async function ran(spec: ReflectionSpec, script: Script) {
  const before = model.ledger.length;
  model.play(script);
  const { workflowId, result } = await world.client.start(spec);
  await result();
  return { workflowId, requests: requestsOf(model.ledger.slice(before)).map(({ body }) => body!) };
}

async function printedCalls(workflowId: string, prompts: true | number = true): Promise<ModelCall[]> {
  const text = await commands.printed(() => show(workflowId, { prompts, json: true }));
  return (JSON.parse(text) as { calls: ModelCall[] }).calls;
}

/** The messages as a request has them, without anything but role and text. */
const wire = (messages: readonly { role: string; content?: unknown }[]) =>
  messages.map(({ role, content }) => [role, String(content ?? '').replaceAll(CODE, '[code]')]);
const shown = ({ prompt }: ModelCall) =>
  prompt!.messages.map(({ role, text }) => [role, text.replaceAll(CODE, '[code]')]);

describe('prompts written again from the history', () => {
  test('are those that were sent, of drafts, revisions, judges and repairs, without the codes', async () => {
    const spec: ReflectionSpec = {
      task: 'Write {{ state.what }}.',
      state: { what: 'notes' },
      generator: { action: 'llm.call', system: 'You write.', prompt: '{{ task }}' },
      evaluator: [
        { type: 'llm', name: 'judge', prompt: 'Are the notes concrete?' },
        {
          type: 'criteria',
          name: 'questions',
          criteria: [{ name: 'clear', evaluatorConfig: { questions: ['Is it clear?'] } }],
        },
      ],
      maxIterations: 2,
    };
    const answers = (answer: string) => ({ answers: [{ question: 'q1', finding: 'so it is', answer }], confidence: 1 });
    const issues = [{ message: 'no figure', severity: 'major' }];
    const { workflowId, requests } = await ran(spec, [
      { match: /You write/, reply: 'We improved things.', usage },
      { match: /concrete/, reply: 'I do not know.', usage },
      { match: /You put a judgement/, reply: { score: 0.4, valid: false, reason: 'vague', issues }, usage },
      { match: /Is it clear/, reply: answers('yes'), usage },
      { match: /You write/, reply: 'We improved 2 things.', usage },
      { match: /concrete/, reply: { score: 0.9, valid: true, reason: 'concrete', issues: [] }, usage },
      { match: /Is it clear/, reply: answers('yes'), usage },
    ]);
    const calls = await printedCalls(workflowId);
    expect(calls.map(({ activity, iteration }) => `${activity} ${iteration}`).toSorted()).toEqual([
      'evaluate 1',
      'evaluate 1',
      'evaluate 2',
      'evaluate 2',
      'generate 1',
      'repair 1',
      'revise 2',
    ]);
    const sent = requests.map(({ messages }) => JSON.stringify(wire(messages)));
    expect(calls.map((call) => JSON.stringify(shown(call))).toSorted()).toEqual(sent.toSorted());
    const forms = requests.map((body) => JSON.stringify(body['response_format'] ?? null).replaceAll(CODE, '[code]'));
    for (const { form } of calls.map(({ prompt }) => prompt!)) {
      if (form !== undefined) expect(forms.join()).toContain(JSON.stringify(form));
    }
    expect(JSON.stringify(calls)).toContain('is: [code]');
    const [first] = calls;
    expect(first).toMatchObject({ number: 1, source: 'rendered', attempt: 1, reply: { text: 'We improved things.' } });
    expect(first!.note).toMatch(/^As version \d+\.\d+\.\d+\S* would write it\.$/);
    expect(first!.tokenUsage).toMatchObject({ promptTokens: 1_234, completionTokens: 5 });

    const second = await printedCalls(workflowId, 2);
    expect(second).toEqual(calls.filter(({ iteration }) => iteration === 2));
    await expect(commands.printed(() => show(workflowId, { prompts: 9 }))).rejects.toMatchObject({
      type: 'NoSuchVersion',
    });
    const text = await commands.printed(() => show(workflowId, { prompts: 1 }));
    expect(text).toMatch(
      /^Call 1: .*\nthe worker's default model · attempt 1 · .* · 1,234 tokens sent, 5 tokens back/m,
    );
    expect(text).toMatch(/── system\nYou write\.\n── user\nWrite notes\.\n── reply\nWe improved things\./);
    expect(text).toMatch(/── read in the reply, which was not kept\n/);
  });

  test('have the turns of tools, whose descriptions only the worker knows', async () => {
    const spec: ReflectionSpec = {
      generator: { action: 'llm.call', prompt: 'Say where it is.\u001b[2J', tools: ['look'] },
      evaluator: { type: 'regex', pattern: 'here' },
    };
    const { workflowId, requests } = await ran(spec, [
      { toolCalls: [{ name: 'look', arguments: { word: 'it' } }], usage } as Script extends readonly (infer E)[]
        ? E
        : never,
      { reply: 'here', usage },
    ]);
    const calls = await printedCalls(workflowId);
    expect(calls.map(shown)).toEqual(requests.map(({ messages }) => wire(messages)));
    const [called, answered] = calls;
    expect(called!.reply!.toolCalls).toMatchObject([{ name: 'look' }]);
    expect(called!.prompt!.tools).toEqual([expect.objectContaining({ name: 'look' })]);
    expect(answered!.prompt!.messages.at(-1)!.text).toContain('it is <<<here');
    const text = await commands.printed(() => show(workflowId, { prompts: true }));
    expect(text).toContain('Say where it is.\ufffd[2J');
    expect(text).toContain('→ look {"word":"it"}');
  });

  test('are on the review page and in the report, escaped', async () => {
    const { workflowId } = await ran(
      {
        generator: { action: 'llm.call', prompt: 'Write <script>alert(1)</script>.' },
        evaluator: { type: 'regex', pattern: 'x' },
        maxIterations: 1,
      },
      [
        { status: 503, error: { message: 'busy <b>' } },
        { reply: 'x <img src=y>', usage },
      ],
    );
    const pages = new Pages(new ReviewRuns(world.client), 'Ada');
    const path = `/prompts/${workflowId}`;
    const run = (await pages.get(`/runs/${workflowId}`, undefined)) as { page: string };
    expect(run.page).toContain(`${path}"`);
    const { status, page } = (await pages.get(path, undefined)) as { status: number; page: string };
    expect(status).toBe(200);
    expect(await pages.get(path, 'seen')).toBe('same');
    expect(await pages.get('/prompts/nobody', undefined)).toMatchObject({ status: 404 });
    const closed = new Pages(new ReviewRuns(world.client, false), 'Ada');
    expect(((await closed.get(`/runs/${workflowId}`, undefined)) as { page: string }).page).not.toContain(path);
    expect(await closed.get(path, undefined)).toMatchObject({ status: 404 });
    const file = commands.file('');
    const aside = jest.spyOn(console, 'error').mockImplementation();
    await commands.printed(() => report(workflowId, { html: file, prompts: true }));
    aside.mockRestore();
    for (const text of [page, readFileSync(file, 'utf8')]) {
      expect(text).toContain('Write &lt;script&gt;alert(1)&lt;/script&gt;.');
      expect(text).toContain('x &lt;img src=y&gt;');
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('1,234');
      expect(text).toMatch(/The attempt before failed: Model\.Unavailable: .*busy &lt;b&gt;/);
    }
    const text = await commands.printed(() => report(workflowId, { prompts: true }));
    expect(text).toContain('── user\nWrite <script>');
    expect(text).toMatch(/attempt 2 .*\nThe attempt before failed: Model\.Unavailable/);
  });

  test('say what failed, and that there is none where an activity asks no model', async () => {
    const failing = { generator: { action: 'llm.call', prompt: 'Go on.' }, evaluator: { type: 'regex', pattern: 'x' } };
    model.play([{ status: 400, error: { message: 'no such thing', code: 'bad' } }]);
    const { workflowId, result } = await world.client.start(failing as ReflectionSpec);
    await result().catch(() => undefined);
    const [call] = await printedCalls(workflowId);
    expect(call).toMatchObject({ source: 'rendered', failure: { type: 'Model.BadRequest' } });
    const { workflowId: other } = await ran(
      { generator: { action: 'look', with: { word: 'x' } }, evaluator: { type: 'regex', pattern: 'x' } },
      [],
    );
    expect(await printedCalls(other)).toEqual([]);
    const text = await commands.printed(() => show(other, { prompts: true }));
    expect(text).toContain('The run has made no model call.');
  });
});
