import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { closeStorage, dataConverterFrom } from '../../src/lib/storage';
import { defineAction } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { large, passes } from '../../testing/support/large-outputs';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { wholeHistory } from '../../testing/support/whole-history';

/** A worker answers a workflow task with one gRPC message, and the server terminates a run whose answer is larger. */
const MESSAGE_BYTES = 4 * 1_024 * 1_024;
/** Characters of which two are less than a task may send, and three are more than a message takes. */
const SIZE = 1_450_000;

const looked: number[] = [];
/** It reads all of the state, so each call is given it. */
const looks = defineAction({
  name: 'looks',
  description: 'Counts what it sees.',
  input: z.object({}),
  run: (_input, { state }) => {
    const { length } = state['more'] as string;
    looked.push(length);
    return length;
  },
});

// Each call is bounded by itself; what one workflow task schedules adds up.
describe('calls side by side that are given more than 4 MiB together', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  let script: ScriptEntry[] = [];
  /** A judge's reply, which carries the code that stands at the end of what it is asked. */
  const verdict = ({ last }: ScriptedRequest): ScriptEntry => {
    const code = /nowhere else, is: (\w+)$/.exec(last)?.[1];
    return { reply: { code, valid: true, score: 0.9, issues: [] } };
  };

  beforeAll(async () => {
    openai = await ScriptedOpenAI.start({
      script: (request) => (request.body.model === 'judge' ? verdict(request) : script.shift()),
    });
    const models = ['writer', 'judge'].map((name) => ({ name, model: name, baseUrl: openai.baseUrl }));
    world = await startWorld({ models, actions: [large, looks] });
  });
  afterAll(async () => {
    await world?.close();
    await openai?.close();
  });

  /** Runs a spec to its good end. @returns of each workflow task that scheduled activities of a name, the bytes that they are given */
  async function bytesOfTasks(spec: ReflectionSpec, name: string, { client } = world): Promise<number[]> {
    const { workflowId } = await client.start(spec);
    expect(await client.result(workflowId)).toMatchObject({ success: true, iterationsUsed: 1 });
    expect(script).toEqual([]);
    const history = await wholeHistory(client, workflowId);
    expect(history.events!.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
    const tasks = new Map<string, number>();
    for (const { activityTaskScheduledEventAttributes: scheduled } of history.events!) {
      if (scheduled?.activityType?.name !== name) continue;
      const task = String(scheduled.workflowTaskCompletedEventId);
      const bytes = (scheduled.input?.payloads ?? []).reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
      tasks.set(task, (tasks.get(task) ?? 0) + bytes);
    }
    return [...tasks.values()];
  }

  test('tools that a model calls in one reply go out in several messages', async () => {
    script = [{ toolCalls: Array.from({ length: 4 }, () => ({ name: 'looks', arguments: {} })) }, { reply: 'Seen.' }];
    const bytes = await bytesOfTasks(
      {
        state: { more: 'x'.repeat(SIZE) },
        generator: { action: 'llm.call', model: 'writer', prompt: 'Look.', tools: ['looks'] },
        evaluator: { type: 'regex', pattern: 'Seen' },
      },
      'reflection.tool',
    );
    expect(looked).toEqual(Array.from({ length: 4 }, () => SIZE));
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(MESSAGE_BYTES);
    expect([bytes.length, Math.max(...bytes) < MESSAGE_BYTES]).toEqual([2, true]);
  }, 60_000);

  test('votes of a judge go out in several messages', async () => {
    const asked = requestsOf(openai.ledger).length;
    const bytes = await bytesOfTasks(
      {
        generator: { action: 'large', with: { length: SIZE } },
        evaluator: { type: 'llm', model: 'judge' },
        judge: { votes: 3 },
      },
      'reflection.evaluate',
    );
    expect(requestsOf(openai.ledger).length - asked).toBe(3);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(MESSAGE_BYTES);
    expect([bytes.length, Math.max(...bytes) < MESSAGE_BYTES]).toEqual([2, true]);
  }, 60_000);

  test('what a storage leaves in the history counts, however high its threshold is', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'waves-'));
    const settings = { REFLECT_STORAGE: `folder:${folder}`, REFLECT_STORAGE_THRESHOLD: String(1_024 * 1_024) };
    const dataConverter = dataConverterFrom(settings)!;
    const stored = await startWorld({ actions: [large, passes], dataConverter });
    try {
      const bytes = await bytesOfTasks(
        {
          generator: { action: 'large', with: { length: 1_000_000 } },
          evaluator: Array.from({ length: 5 }, () => ({ type: 'function' as const, action: 'passes' })),
        },
        'reflection.evaluate',
        stored,
      );
      expect([bytes.length, Math.max(...bytes) < MESSAGE_BYTES]).toEqual([3, true]);
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(MESSAGE_BYTES);
    } finally {
      await stored.close();
      await closeStorage(dataConverter);
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
