import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import { agentsGroup } from '../../../../../src/apps/cli/kinds/agents/agents-commands';
import { run } from '../../../../../src/apps/cli/runs/run';
import { show } from '../../../../../src/apps/cli/runs/show';
import { type LoopWorld, startWorld } from '../../../../../testing/support/loop-world';
import { InProcess } from '../../in-process';

const POPULATION = `
agents:
  - { id: ada, type: household_owner, attributes: { income: low } }
  - { id: town, type: government }
global_config:
  reflection: { method: template, triggers: { decision_types: [relocate] } }
`;

let world: LoopWorld;
let commands: InProcess;
const id = `valley-${randomUUID()}`;

beforeAll(async () => {
  world = await startWorld({ memory: false });
  commands = new InProcess(world);
}, 60_000);
afterAll(async () => {
  commands.close();
  await world.close();
});

/** As typed behind `reflect agents`. */
const type = (...args: string[]): Promise<string> =>
  commands.printed(() =>
    agentsGroup
      .create(() => undefined, {
        server: (command) => command,
        taskQueue: () => new Option('--task-queue <name>'),
      })
      .parseAsync(args, { from: 'user' }),
  );

test('agents: a population of a file is started, told of events, asked, and finished', async () => {
  const started = await type('start', commands.file(POPULATION), '--workflow-id', id);
  expect(started).toMatch(new RegExp(`^${id} {2}2 agents\n[^]*reflect agents trigger ${id} crisis`));
  const flood = ['trigger', id, 'crisis', '--year', '3', '--id', 'flood'];
  const crisis = await type(...flood, '--context', 'description=the river rose');
  expect(crisis).toMatch(/✓ 2 agents reflected · 0 did not[^]*ada +template[^]*town +template/);
  expect(await type(...flood)).toMatch(/taken before: nothing happened now/);
  const decision = ['trigger', id, 'decision', '--year', '4'];
  const painted = await type(...decision, '--agent', 'ada', '--context', 'decision=paint', '--json');
  expect(JSON.parse(painted)).toMatchObject({ reflected: [], skipped: [{ agentId: 'ada' }] });
  await expect(type(...decision)).rejects.toMatchObject({ type: 'NoAgent', advice: 'Say whose with --agent.' });
  expect(await commands.printed(() => show(id, {}))).toMatch(
    /waiting · year 4 · 2 agents · 2 reflections upon 2 events/,
  );
  const ofAda = await type('reflections', id, '--agent', 'ada');
  expect(ofAda).toMatch(/^# +year +agent[^\n]*\n1 +3 +ada +crisis +template +\[Reflection Y3\]/);
  expect(ofAda).not.toContain('town');
  expect(await type('finish', id)).toMatch(/✓ finished · 2 agents · 2 reflections upon 2 events/);
  expect(await commands.printed(() => show(id, {}))).toMatch(/completed[^]*✓ finished[^]*\[Reflection Y3\]/);
  await expect(type('trigger', id, 'crisis', '--year', '5')).rejects.toMatchObject({ type: 'RunEnded' });
}, 60_000);

test('a file that holds no population, or a wrong one, is refused with words; run says what to type', async () => {
  await expect(type('start', commands.file('goal: x'))).rejects.toMatchObject({ type: 'NoPopulation' });
  await expect(run(commands.file(POPULATION), { state: [], stateFile: [] })).rejects.toMatchObject({
    type: 'NothingToRun',
    advice: expect.stringContaining('reflect agents start'),
  });
  await expect(type('start', commands.file(POPULATION.replace('template', 'magic')))).rejects.toThrow(
    /:6:\d+ {2}global_config\.reflection\.method: /,
  );
}, 60_000);
