import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptedRequest, ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { reflect } from './reflect-command';

const KEY = 'sk-abcdef0123456789';
const RAMBLING = `Well, it depends. My key is ${KEY}.\u001b[2J\n${'On the one hand, on the other. '.repeat(40)}THE END`;

/** A judge that rambles about some outputs, and a repair that makes something of it, or not. */
function answer({ body, last }: ScriptedRequest): ScriptEntry {
  const isRepair = body.messages[0]!.content.includes('You put a judgement into the form');
  if (isRepair) return { reply: last.includes('MENDABLE') ? { valid: false, score: 0.3 } : 'Nobody can tell.' };
  if (last.includes('a cut one')) return { reply: 'It is go', finishReason: 'length' };
  if (last.includes('a clear one')) return { reply: { valid: true, score: 0.9 } };
  return { reply: last.includes('a mendable one') ? `MENDABLE ${RAMBLING}` : RAMBLING };
}

describe('replies that could not be read as they were', () => {
  let world: LoopWorld;
  let scripted: ScriptedOpenAI;
  let folder: string;
  beforeAll(async () => {
    scripted = await ScriptedOpenAI.start({ script: answer });
    world = await startWorld({ models: [{ name: 'scripted', model: 'scripted', baseUrl: scripted.baseUrl }] });
    folder = mkdtempSync(join(tmpdir(), 'reflect-unread-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await world?.close();
    await scripted?.close();
  });

  const command = (name: string, content: string, ...args: string[]) => {
    const path = join(folder, 'file.yaml');
    writeFileSync(path, content);
    return reflect([name, path, ...args], {
      env: { TEMPORAL_ADDRESS: world.address, REFLECT_TASK_QUEUE: world.client.taskQueue },
    });
  };
  const check = (data: string) => `name: tone\nevaluator: { type: llm, name: tone }\ndata: ${data}\n`;

  test('evaluate tells that a verdict was read after repair, and what the reply was', async () => {
    const { code, stdout } = await command('evaluate', check('a mendable one'));
    expect(code).toBe(2);
    expect(stdout).toMatch(/! tone: its reply was read after repair \(.+\)\n +“MENDABLE Well, it depends\. .*…”/);
    expect(stdout).not.toContain('THE END');
    expect(stdout).not.toContain('\u001b[2J');
    expect(stdout).not.toContain(KEY);

    const judged = await command('evaluate', check('a mendable one'), '--json');
    const { outcome, unreadReplies } = JSON.parse(judged.stdout) as { outcome: string; unreadReplies: object[] };
    expect(outcome).toBe('fail');
    const reply = `MENDABLE ${RAMBLING.replace(KEY, '[redacted]')}`;
    expect(unreadReplies).toEqual([{ evaluator: 'tone', reply, problem: expect.any(String), repaired: true }]);
  });

  test('evaluate tells of replies that nobody could read, those that were cut off included, and of others nothing', async () => {
    const rambled = await command('evaluate', check('an odd one'));
    expect(rambled.stdout).toMatch(/inconclusive/);
    // It was asked twice, and each reply was put to a repair.
    expect(rambled.stdout.match(/\? tone: its reply could not be read \(.+\)\n +“Well, it depends\./g)).toHaveLength(2);
    const cut = await command('evaluate', check('a cut one'));
    expect(cut.stdout).toMatch(
      /\? tone: its reply could not be read \(it was cut off at its token limit\)\n +“It is go”/,
    );
    const clear = await command('evaluate', check('a clear one'), '--json');
    expect(JSON.parse(clear.stdout)).not.toHaveProperty('unreadReplies');
  });

  test('calibrate tells of each output whose replies were repaired or not read', async () => {
    const file = 'evaluator: { type: llm, name: tone }\noutputs: [a clear one, a mendable one, an odd one]\n';
    const { stdout } = await command('calibrate', file, '--times', '1');
    expect(stdout).toContain('3 judgements, 1 of them inconclusive; 1 read after repair');
    expect(stdout).toMatch(/! output 2, tone: its reply was read after repair/);
    expect(stdout).toMatch(/\? output 3, tone: its reply could not be read/);
    const { stdout: json } = await command('calibrate', file, '--times', '1', '--json');
    expect(JSON.parse(json)).toMatchObject({
      inconclusive: 1,
      repaired: 1,
      outputs: [
        { repaired: 0, unreadReplies: [] },
        { repaired: 1, unreadReplies: [{ evaluator: 'tone', repaired: true }] },
        { repaired: 0, inconclusive: 1, unreadReplies: [{ repaired: false }, { repaired: false }] },
      ],
    });
  });
});
