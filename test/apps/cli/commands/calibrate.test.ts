import { calibrate } from '../../../../src/apps/cli/commands/calibrate';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { InProcess } from '../in-process';
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
  let terminal: InProcess;

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
    terminal = new InProcess(world);
  });
  afterAll(async () => {
    terminal.close();
    await world.close();
    await scripted.close();
  });

  const printed = (file: string, times: number, json = false) =>
    terminal.printed(() => calibrate(file, { times, json }));

  test('judges each output so often, and tells agreement and bias', async () => {
    const args = [terminal.file(FILE), '--times', '3', '--labels', terminal.file('[0.7, false]'), '--json'];
    const env = { TEMPORAL_ADDRESS: world.address, REFLECT_TASK_QUEUE: world.client.taskQueue };
    const { code, stdout } = await reflect(['calibrate', ...args], { env });
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
    const report = await printed('faithfulness@1', 1, true);
    // A judge that likes everything agrees with the four outputs of ten that are good.
    expect(JSON.parse(report)).toMatchObject({ judgements: 10, inconclusive: 0, right: 0.4 });
    scripted.assertDone();
  });

  test('far too many judgements are refused before any is paid for', async () => {
    await expect(printed(terminal.file(FILE), 600)).rejects.toThrow(/2 outputs × 600 is 1200 judgements/);
  });

  test('prints a table for people', async () => {
    const check = 'evaluator: { type: regex, pattern: Ada }\noutputs: [Ada, Bob]\n';
    const table = await printed(terminal.file(check), 2);
    expect(table).toMatch(/output +mean +spread +within 0\.1/);
    expect(table).toMatch(/^1 +1\.00 +0\.00 +100 % +2\/0\/0/m);
    expect(table).toContain('4 judgements, 0 of them inconclusive');
  });
});
