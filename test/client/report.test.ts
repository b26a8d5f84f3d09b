import { stripVTControlCharacters } from 'node:util';
import { report as reportCommand } from '../../src/apps/cli/runs/report';
import { runReport } from '../../src/kinds/report/contract';
import { type LoopReport, type ReflectionSpec, RunNotFoundError } from '../../src';
import { reportPage } from '../../src/apps/report/page';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { InProcess } from '../apps/cli/in-process';

const issue = (message: string) => ({ message, severity: 'major', suggestion: 'Name it.' });
const NOTES: ReflectionSpec = {
  name: 'notes',
  task: 'Write <b>notes</b>.',
  generator: { action: 'llm.call', prompt: '{{ task }}' },
  corrector: { action: 'llm.call', prompt: 'Revise: {{ reflection_output }}' },
  evaluator: { type: 'llm', prompt: 'Are the notes concrete?' },
  review: { when: 'on_satisfactory' },
};
const usage = { prompt: 50, completion: 5 };

describe('the report of a run', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;
  let commands: InProcess;
  beforeAll(async () => {
    model = await ScriptedOpenAI.start({
      script: [
        { reply: 'We improved <script>things</script>.', usage },
        { reply: { score: 0.4, reason: 'vague', issues: [issue('no figure'), issue('no version')] }, usage },
        { reply: 'We improved 2 things.', usage },
        { reply: { score: 0.9, valid: true, reason: 'concrete', issues: [] }, usage },
      ],
    });
    const prices = { inputPerMillion: 1, outputPerMillion: 10 };
    const models = [{ name: 'scripted', model: 'scripted-1', baseUrl: model.baseUrl, prices }];
    world = await startWorld({ models });
    commands = new InProcess(world);
  });
  afterAll(async () => {
    commands.close();
    await world.close();
    await model.close();
  });

  test('has versions, issues, people and the cost of each role, under way and at the end', async () => {
    const { client } = world;
    const { workflowId, result } = await client.start(NOTES);
    await eventually(
      () => client.progress(workflowId),
      ({ waitingFor }) => waitingFor !== undefined,
    );
    const underWay = (await client.report(workflowId)) as LoopReport;
    expect(runReport.parse(underWay)).toBeTruthy();
    expect(underWay).toMatchObject({ kind: 'loop', workflowId });
    await client.accept(workflowId, { by: 'Ada' });
    await result();
    const ended = (await client.report(workflowId)) as LoopReport;
    expect(runReport.parse(ended)).toBeTruthy();
    expect(ended.versions.map(({ evaluation }) => evaluation.overallScore)).toEqual([0.4, 0.9]);
    const calls = ended.roles.map(({ role, tokenUsage }) => [role, tokenUsage.modelCalls]);
    expect(calls.reduce((sum, [, each]) => sum + (each as number), 0)).toBe(4);
    expect(JSON.stringify(ended)).toContain('Ada');

    const page = reportPage(ended, '2026-01-01T00:00:00.000Z');
    expect(page).toContain('default-src &#39;none&#39;');
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('<script>');
    expect(page).toContain('no figure');
    expect(page).toContain('Ada');

    const text = stripVTControlCharacters(await commands.printed(() => reportCommand(workflowId, {})));
    expect(text).toMatch(/0\.40[^]*0\.90/);
    expect(text).toContain('no figure');
    const json = await commands.printed(() => reportCommand(workflowId, { json: true }));
    expect(runReport.parse(JSON.parse(json))).toMatchObject({ workflowId });
  });

  test('a run that is not there has none', async () => {
    await expect(world.client.report('nobody')).rejects.toThrow(RunNotFoundError);
  });
});
