import { experiment, type ExperimentOptions } from '../../../src/apps/cli/experiment/experiment';
import { calibrate } from '../../../src/apps/cli/commands/calibrate';
import { report } from '../../../src/apps/cli/runs/report';
import { show } from '../../../src/apps/cli/runs/show';
import type { ExperimentReport } from '../../../src/apps/experiment/rows';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { batchStart } from '../../../src/apps/cli/kinds/batch/batch';
import type { BatchLine } from '../../../src/kinds/batch/contract/batch-results';
import { readFileSync } from 'node:fs';
import { SpecFileError } from '../../../src/lib/yaml/spec-file-error';
import { evaluate } from '../../../src/apps/cli/kinds/standalone/evaluate-correct';
import { InProcess } from '../../apps/cli/in-process';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

// Nothing else shows that a prompt was sent without the text that it is about: a judge passes what reads well.
describe('items without a key that a prompt prints', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;
  let commands: InProcess;
  let aside: string[] = [];
  beforeAll(async () => {
    model = await ScriptedOpenAI.start({ script: () => ({ reply: 'An answer.' }) });
    world = await startWorld({ models: [{ name: 'writer', model: 'writer', baseUrl: model.baseUrl }] });
    commands = new InProcess(world);
    jest.spyOn(console, 'error').mockImplementation((text: unknown) => void aside.push(String(text)));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    commands.close();
    await world.close();
    await model.close();
  });
  beforeEach(() => {
    aside = [];
  });

  const loop = (read: string) =>
    commands.file(
      `generator: { action: llm.call, prompt: "Answer: {{ ${read} }}" }\nevaluator: { type: regex, pattern: answer }\n`,
    );
  const ITEMS = ['{"id":"a","mesage":"Hello"}', '{"id":"b","message":"Hello"}', '{"id":"c","mesage":"Bye"}'].join('\n');
  const LACKING =
    /prints state\.message, and the state has no key of that name \(did you mean mesage\?\), in 2 of 3 items/;
  const calls = () => model.ledger.length;

  test.each(['state.message', 'message'])(
    'of a batch are refused by --strict before anything is paid, by {{ %s }}',
    async (read) => {
      const before = calls();
      const starting = batchStart(commands.file(ITEMS), { spec: loop(read), strict: true });
      await expect(starting).rejects.toThrow(SpecFileError);
      await expect(starting).rejects.toThrow(LACKING);
      expect(calls()).toBe(before);
    },
  );

  test('of a batch are told before it starts, counted in its summary, and marked in results, show and report', async () => {
    const workflowId = `lacking-${Date.now()}`;
    const results = commands.file('');
    const printed = await commands.printed(() =>
      batchStart(commands.file(ITEMS), { spec: loop('state.message'), workflowId, results }),
    );
    expect(aside.join('\n')).toMatch(LACKING);
    expect(printed).toContain('! 3 of 3 items passed');
    expect(printed).toContain('2 with warnings');
    const lines = readFileSync(results, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as BatchLine);
    expect(lines.map(({ warnings = [] }) => warnings.some((text) => text.includes('state.message')))).toEqual([
      true,
      false,
      true,
    ]);
    expect(lines[1]).not.toHaveProperty('warnings');
    expect(await commands.printed(() => show(workflowId, {}))).toContain('2 with warnings');
    const made = JSON.parse(await commands.printed(() => report(workflowId, { json: true }))) as object;
    expect(made).toMatchObject({ warned: 2, passed: 3 });
  });

  test('of an experiment are refused by --strict, and else stand among its cautions', async () => {
    const cases = commands.file(ITEMS);
    const judge = commands.file('evaluator: { type: llm, prompt: "As {{ state.tone }}?" }\n');
    const options: ExperimentOptions = {
      variant: [loop('message')],
      baseline: ['none'],
      name: `lacking-${Date.now()}`,
      concurrency: 3,
      seed: 1,
      json: true,
    };
    const before = calls();
    await expect(experiment(cases, { ...options, strict: true })).rejects.toThrow(LACKING);
    await expect(experiment(cases, { ...options, variant: [loop("'x'")], judge, strict: true })).rejects.toThrow(
      /prints state\.tone[^]*in 3 of 3 items/,
    );
    expect(calls()).toBe(before);
    const found = JSON.parse(await commands.printed(() => experiment(cases, options))) as ExperimentReport;
    expect(found.cautions.join('\n')).toMatch(LACKING);
  });

  test('of an evaluation or a calibration are refused by --strict', async () => {
    const file = 'evaluator: { type: llm, prompt: "As {{ state.tone }}?" }\nstate: { tune: warm }\n';
    const says = /:1:\d+ {2}evaluator\.prompt: prints state\.tone, .*\(did you mean tune\?\)/;
    const evaluating = evaluate(commands.file(`${file}data: x\n`), { state: [], stateFile: [], strict: true });
    await expect(evaluating).rejects.toThrow(says);
    await expect(calibrate(commands.file(`${file}outputs: [x]\n`), { times: 1, strict: true })).rejects.toThrow(says);
  });
});
