import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { reflect } from '../reflect-command';

const FILE = `
name: tone
task: Write about {{ state.subject }}
state: { subject: Ada }
evaluator: { type: llm }
outputs: [A good one., A_bad one.]
`;

const YES = Array.from({ length: 9 }, (_, index) => ({ question: `q${index + 1}`, finding: 'so', answer: 'yes' }));

describe('reflect calibrate', () => {
  let world: LoopWorld;
  let scripted: ScriptedOpenAI;
  let folder: string;

  beforeAll(async () => {
    const good = [0.9, 0.8, 0.9].map((score) => ({ match: 'good one', reply: { score, issues: [] } }));
    scripted = await ScriptedOpenAI.start({
      script: [
        ...good,
        { match: 'A_bad one', times: 3, reply: { score: 0.2, issues: ['bad'] } },
        // Stands in the source alone.
        { match: 'if holders ask for it at the desk', times: 10, reply: { answers: YES } },
      ],
    });
    world = await startWorld({ models: [{ name: 'scripted', model: 'scripted', baseUrl: scripted.baseUrl }] });
    folder = mkdtempSync(join(tmpdir(), 'reflect-calibrate-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await world.close();
    await scripted.close();
  });

  function file(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }
  const command = (...args: string[]) =>
    reflect(['calibrate', ...args], {
      env: { TEMPORAL_ADDRESS: world.address, REFLECT_TASK_QUEUE: world.client.taskQueue },
    });

  test('judges each output so often, and tells agreement and bias', async () => {
    const args = [file('tone.yaml', FILE), '--times', '3', '--labels', file('labels.yaml', '[0.7, false]'), '--json'];
    const { code, stdout } = await command(...args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      judgements: 6,
      inconclusive: 0,
      agreement: 1,
      bias: expect.closeTo(0.1667, 3),
      right: 1,
      outputs: [
        { passes: 3, label: 0.7 },
        { fails: 3, label: false, right: 1 },
      ],
    });
  });

  test('a ready-made set is tried with the outputs and labels that come with it', async () => {
    const { code, stdout } = await command('faithfulness@1', '--times', '1', '--json');
    expect(code).toBe(0);
    // A judge that likes everything agrees with the four outputs of ten that are good.
    expect(JSON.parse(stdout)).toMatchObject({ judgements: 10, inconclusive: 0, right: 0.4 });
    scripted.assertDone();
  });

  test('far too many judgements are refused before any is paid for', async () => {
    const { code, stderr } = await command(file('file.yaml', FILE), '--times', '600');
    expect(code).toBe(1);
    expect(stderr).toMatch(/2 outputs × 600 is 1200 judgements/);
  });

  test('prints a table for people', async () => {
    const check = 'evaluator: { type: regex, pattern: Ada }\noutputs: [Ada, Bob]\n';
    const { code, stdout } = await command(file('check.yaml', check), '--times', '2');
    expect(code).toBe(0);
    expect(stdout).toMatch(/output +mean +spread +within 0\.1/);
    expect(stdout).toMatch(/^1 +1\.00 +0\.00 +100 % +2\/0\/0/m);
    expect(stdout).toContain('4 judgements, 0 of them inconclusive');
  });
});
