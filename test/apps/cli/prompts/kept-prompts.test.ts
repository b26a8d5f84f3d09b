import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { DataConverter } from '@temporalio/common';
import { show } from '../../../../src/apps/cli/runs/show';
import { sweep } from '../../../../src/apps/cli/commands/sweep';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import type { ReflectionSpec } from '../../../../src';
import type { ModelCall } from '../../../../src/lib/contract/model-calls';
import { closeStorage, dataConverterFrom } from '../../../../src/lib/storage';
import { createWorker } from '../../../../src/worker';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { InProcess } from '../in-process';

const CODE = /(?:is: )([0-9a-f]{16})$/;
const SECRET = 'a-secret-of-twenty-characters';
const SYSTEM = `You write notes. ${'Be concrete, and short. '.repeat(40)}`;
const SPEC: ReflectionSpec = {
  task: 'Write notes.',
  generator: { action: 'llm.call', system: SYSTEM, prompt: `{{ task }} The key is ${SECRET}.` },
  evaluator: { type: 'llm', prompt: 'Are the notes concrete?' },
  maxIterations: 2,
};
/** A reply that carries its code, and cannot be read. */
const unreadable = ({ last }: { last: string }): string => `${CODE.exec(last)?.[1]} I do not know.`;
const SCRIPT = [
  { match: /You write/, reply: `We improved ${SECRET}.`, usage: { prompt: 50, completion: 5 } },
  { match: /concrete\?/, reply: unreadable, asWritten: true },
  {
    match: /You put a judgement/,
    reply: { score: 0.4, valid: false, reason: 'vague', issues: [{ message: 'no figure' }] },
  },
  { match: /You write/, reply: 'We improved 2 things.' },
  { match: /concrete\?/, reply: { score: 0.9, valid: true, reason: 'good', issues: [] } },
];
const KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/** Texts of all files below a folder. */
function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => inflateRawSync(readFileSync(join(entry.parentPath, entry.name))).toString('latin1'));
}

async function runOnce(world: LoopWorld): Promise<string> {
  const { workflowId, result } = await world.client.start(SPEC);
  await result();
  return workflowId;
}

describe.each([
  ['plain', '', ''],
  ['encrypted', KEYS, ''],
  ['beside inputs and results', '', '100'],
])('prompts kept in a storage, %s', (_kind, keys, threshold) => {
  let folder: string;
  let converter: DataConverter;
  let model: ScriptedOpenAI;
  let world: LoopWorld;
  let commands: InProcess;
  let workflowId: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reflect-prompts-'));
    Object.assign(process.env, {
      REFLECT_STORAGE: `folder:${folder}`,
      REFLECT_STORAGE_THRESHOLD: threshold,
      REFLECT_CODEC_KEYS: keys,
      SOME_API_KEY: SECRET,
    });
    converter = dataConverterFrom(process.env)!;
    model = await ScriptedOpenAI.start({ script: SCRIPT });
    const models = [{ name: 'scripted', model: 'scripted-1', baseUrl: model.baseUrl }];
    world = await startWorld({ models, keepPrompts: true, dataConverter: converter });
    commands = new InProcess(world);
    workflowId = await runOnce(world);
  });
  afterAll(async () => {
    commands.close();
    await world.close();
    await closeStorage(converter);
    await model.close();
    for (const name of ['REFLECT_STORAGE', 'REFLECT_STORAGE_THRESHOLD', 'REFLECT_CODEC_KEYS', 'SOME_API_KEY'])
      delete process.env[name];
    rmSync(folder, { recursive: true, force: true });
  });

  const calls = async (): Promise<ModelCall[]> => {
    const text = await commands.printed(() => show(workflowId, { prompts: true, json: true }));
    return (JSON.parse(text) as { calls: ModelCall[] }).calls;
  };

  test('are shown as they were sent and answered, without codes and secrets', async () => {
    const kept = await calls();
    expect(kept.map(({ source, activity, iteration }) => [source, activity, iteration])).toEqual([
      ['kept', 'generate', 1],
      ['kept', 'evaluate', 1],
      ['kept', 'repair', 1],
      ['kept', 'revise', 2],
      ['kept', 'evaluate', 2],
    ]);
    const requests = requestsOf(model.ledger).map(({ body }) => body!);
    const wire = requests.map(({ messages }) =>
      messages.map(({ role, content }) => [
        role,
        content!.replaceAll(SECRET, '[redacted]').replaceAll(/\b[0-9a-f]{16}\b/g, '[code]'),
      ]),
    );
    expect(kept.map(({ prompt }) => prompt!.messages.map(({ role, text }) => [role, text]))).toEqual(wire);
    expect(kept[0]).toMatchObject({
      prompt: { model: 'scripted' },
      reply: { text: 'We improved [redacted].' },
      attempt: 1,
    });
    expect(kept[0]!.tokenUsage).toMatchObject({ promptTokens: 50, completionTokens: 5 });
    expect(kept[1]!.reply!.text).toBe('[code] I do not know.');
    expect(kept[2]!.reply!.text).toContain('vague');
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    const codes = requests.flatMap(({ messages }) => CODE.exec(messages.at(-1)!.content!)?.[1] ?? []);
    expect(codes).toHaveLength(3);
    for (const code of codes) expect(JSON.stringify(kept)).not.toContain(code);
  });

  test('are kept once where calls share them, and nothing but an address is in the history', async () => {
    const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    const results = (events ?? []).flatMap(
      (event) => event.activityTaskCompletedEventAttributes?.result?.payloads ?? [],
    );
    expect(results).toHaveLength(5);
    for (const { data } of results) expect(data!.length).toBeLessThan(2_000);
    const texts = textsIn(folder);
    expect(texts.length).toBeGreaterThan(4);
    const all = texts.join('\n');
    // The inputs of activities have what the spec has.
    if (threshold === '') expect(all).not.toContain(SECRET);
    // Drafts and revisions share the system message, judges theirs.
    if (keys === '') {
      if (threshold === '') expect(all.split('You write notes.').length - 1).toBe(1);
      expect(all.split('You judge outputs').length - 1).toBe(1);
    } else {
      expect(all).not.toContain('You write notes.');
      const before = texts.length;
      model.play(SCRIPT);
      await runOnce(world);
      // Another run adds its records, and of long texts only those that differ from run to run.
      expect(textsIn(folder).length - before).toBeLessThan(before);
    }
  });

  test('are swept with everything else in the storage, and then written again', async () => {
    await commands.printed(() => sweep({ olderThan: '0s', force: true }));
    const again = await calls();
    expect(again.map(({ source }) => source)).toEqual(Array(5).fill(threshold === '' ? 'rendered' : 'none'));
    if (threshold !== '') {
      expect(again[0]!.note).toContain('cannot be read here');
      return;
    }
    expect(again[1]!.reply!.text).toBe('[code] I do not know.');
    expect(again[0]!.note).toMatch(/^What was kept cannot be read: .* As version /);
    expect(again[0]!.prompt!.messages[0]!.text).toBe(SYSTEM);
  });
});

test('a worker without a storage refuses to keep prompts', async () => {
  const refused = createWorker({ keepPrompts: true, address: '127.0.0.1:1' });
  await expect(refused).rejects.toThrow('set REFLECT_STORAGE');
});
