import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from '../../../../src/apps/cli/commands/list';
import { report } from '../../../../src/apps/cli/runs/report';
import { run } from '../../../../src/apps/cli/runs/run';
import { show } from '../../../../src/apps/cli/runs/show';
import { steer } from '../../../../src/apps/cli/runs/steer';
import { reportError } from '../../../../src/apps/cli/support/report-error';
import { printAside, printProgress, printText } from '../../../../src/apps/cli/terminal/say';
import { StatusLine } from '../../../../src/apps/cli/terminal/status-line';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import { evaluate } from '../../../../src/apps/cli/kinds/standalone/evaluate-correct';
import { eventually } from '../../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { InProcess } from '../in-process';

/** Sets the clipboard, clears the screen, goes back in the line, hides, and turns text around: in 7 and in 8 bits. */
const EVIL = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b1A\rDone.\u001b[8m\u202e';
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001b\[(?:[0-4]|2[2-4]|3[0-79]|9[0-7])m/g;
/** The commands print colours of their own, where their output takes any. */
const acts = (text: string): boolean => ACTS.test(text.replaceAll(COLOURS, ''));
// oxlint-disable-next-line no-control-regex
const ACTS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('escapes in texts from outside', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;
  let commands: InProcess;
  const said: string[] = [];
  beforeAll(async () => {
    model = await ScriptedOpenAI.start({
      script: ({ body }) => {
        const asked = JSON.stringify(body.messages).match(/"role":"tool"/g)?.length ?? 0;
        const ask = (id: string) => ({ name: 'ask_person', arguments: { question: `${id}${EVIL}?`, options: [EVIL] } });
        return asked === 0 && body.tools ? { toolCalls: [ask('a'), ask('b')] } : { reply: `A text ${EVIL}` };
      },
    });
    world = await startWorld({ models: [{ name: 'writer', model: 'writer', baseUrl: model.baseUrl }] });
    commands = new InProcess(world);
    for (const stream of ['stdout', 'stderr'] as const)
      jest.spyOn(process[stream], 'write').mockImplementation((text) => said.push(String(text)) > 0);
    for (const way of ['log', 'error'] as const)
      jest.spyOn(console, way).mockImplementation((...text: unknown[]) => void said.push(String(text[0])));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    commands.close();
    await world.close();
    await model.close();
  });
  beforeEach(() => said.splice(0));

  const spec = (name: string) =>
    commands.file(
      JSON.stringify({
        name: `loop ${name}`,
        task: `Write ${EVIL}`,
        generator: { action: 'llm.call', prompt: '{{ task }}', tools: ['ask_person'] },
        evaluator: { type: 'regex', pattern: 'never', message: `It lacks ${EVIL}` },
        maxIterations: 1,
        questions: { timeout: '1m' },
      }),
    );

  test('reach the terminal by no command', async () => {
    const workflowId = `escapes-${Date.now()}`;
    await run(spec('asks'), { state: [], stateFile: [], workflowId, detach: true });
    const waiting = await eventually(
      () => world.client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );
    const [first, second] = waiting.waitingFor!.waits!;
    const look = async () => {
      await show(workflowId, {});
      await show(workflowId, { prompts: true });
      await report(workflowId, {});
      await list({ limit: 5 });
    };
    await look();
    await steer('answer', workflowId, { to: first!.id, text: `Kiel ${EVIL}` });
    await steer('guide', workflowId, { text: `Shorter ${EVIL}` }).catch((error: unknown) => reportError(error));
    await steer('answer', workflowId, { to: 'nobody', text: 'x' }).catch((error: unknown) => reportError(error));
    await steer('answer', workflowId, { to: second!.id, text: EVIL });
    await world.client.result(workflowId);
    await look();
    await run(spec('runs'), { state: [], stateFile: [], workflowId: `${workflowId}-2`, detach: true });
    await steer('abort', `${workflowId}-2`, { reason: EVIL });
    const request = JSON.stringify({ evaluator: { type: 'regex', pattern: 'x', message: EVIL }, data: EVIL });
    await evaluate(commands.file(request), { state: [], stateFile: [] });
    const written = said.join('');
    expect(written).toContain('It lacks');
    expect(written).toContain('Taken. It still waits for');
    expect(said.filter(acts)).toEqual([]);
  });

  test('are taken out by each function that prints, whoever calls it', () => {
    const line = new StatusLine(process.stdout);
    for (const print of [printText, printAside]) print(`one ${EVIL}`);
    printProgress(process.stdout, `two ${EVIL}`);
    line.write([`three ${EVIL}`]);
    expect(said).toHaveLength(4);
    expect(said.filter(acts)).toEqual([]);
  });

  test('no other file of the command prints texts', () => {
    const root = join(__dirname, '../../../../src');
    const files = ['apps/cli', 'kinds'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    );
    const prints = files.filter(
      (file) =>
        file.endsWith('.ts') &&
        /console\.\w+\(|std(?:out|err)\.write\(`|news\.write\(`/.test(readFileSync(join(root, file), 'utf8')),
    );
    // The first shows numbers of its own.
    expect(prints.sort()).toEqual(['apps/cli/kinds/batch/batch.ts', 'apps/cli/terminal/say.ts']);
  });
});
