import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { z } from 'zod';
import { list } from '../../../src/apps/cli/commands/list';
import { run } from '../../../src/apps/cli/runs/run';
import { show } from '../../../src/apps/cli/runs/show';
import { steeringCommands } from '../../../src/apps/cli/program/steering-commands';
import { defineAction } from '../../../src/worker';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { InProcess } from './in-process';
import { ReflectCommand } from './reflect-command';

/** Gates that are open. */
const open = new Set<string>();

const actions = [
  defineAction({
    name: 'does',
    description: 'Gives a value, or fails with an error.',
    input: z.object({ value: z.json().optional(), error: z.string().optional() }),
    run: ({ value = 'done', error }) => {
      if (error !== undefined) throw new Error(error);
      return value;
    },
  }),
  defineAction({
    name: 'gated',
    description: 'Gives a value, or fails, once the test lets it.',
    input: z.object({ gate: z.string(), value: z.json().optional(), error: z.string().optional() }),
    run: async ({ gate, value = 'done', error }) => {
      while (!open.has(gate)) await new Promise((resolve) => setTimeout(resolve, 10));
      if (error !== undefined) throw new Error(error);
      return value;
    },
  }),
  defineAction({
    name: 'waits',
    description: 'Waits until it is cancelled.',
    input: z.object({}),
    run: (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('late'))),
  }),
];

const PLAN = `
goal: Publish the report
enable_llm_reflection: false
planner:
  action: gated
  with:
    gate: plan
    value: { tasks: [{ id: look, description: Look elsewhere, step: { action: does, with: { value: the pen is here } } }] }
plan:
  tasks:
    - id: draft
      description: Draft it
      step:
        loop:
          generator: { action: does, with: { value: { age: 36 } } }
          evaluator: { type: schema, schema: { type: object, required: [age] } }
    - { id: find, description: Find the pen, depends_on: [draft], step: { uses: gated, with: { gate: find, error: "not found: the pen" } } }
`;
const FAILING = PLAN.replace('planner:', 'max_replanning_attempts: 0\nplanner:');

let world: LoopWorld;
let env: NodeJS.ProcessEnv;
let commands: InProcess;
const id = `report-${randomUUID()}`;

beforeAll(async () => {
  world = await startWorld({ actions });
  env = { TEMPORAL_ADDRESS: world.address, REFLECT_TASK_QUEUE: world.client.taskQueue };
  commands = new InProcess(world);
}, 60_000);
afterAll(async () => {
  commands.close();
  await world.close();
});

const shown = (workflowId: string, options = {}): Promise<string> => commands.printed(() => show(workflowId, options));
/** As typed behind `reflect`. */
const steer = (...args: string[]): Promise<string> =>
  commands.printed(async () => {
    const reflect = new Command();
    for (const each of steeringCommands(() => undefined)) reflect.addCommand(each);
    await reflect.parseAsync(args, { from: 'user' });
  });

test('run follows a plan task by task, with the versions of its loops, the next plan and why, and a link', async () => {
  const running = new ReflectCommand(['run', '-', '--workflow-id', id], { env, input: PLAN });
  await running.says(/✓ draft[^]*▶ find/);
  open.add('find');
  await running.says(/✗ find/);
  open.add('plan');
  const { code, stdout, stderr } = await running.finished;
  expect(stderr).toBe('');
  expect(stdout).toMatch(/▶ draft {2}Draft it[^]* {2}#1 {2}✓ pass[^]*✓ draft · \d/);
  expect(stdout).toMatch(/▶ find {2}Find the pen[^]*✗ find · [^\n]*not found: the pen/);
  expect(stdout).toMatch(/✗ plan 1 did not succeed\n {2}! [^\n]+[^]*Plan 2\n[^]*▶ look {2}Look elsewhere[^]*✓ look/);
  expect(stdout).toMatch(/✓ succeeded · 1 of 1 task · 2 plans · 0 model calls/);
  expect(stdout).toMatch(/look +Look elsewhere +✓ succeeded +\d\.\d s +nothing wrong +–/);
  expect(stdout).toMatch(/Learned\n.*\n?[^]*not found/);
  expect(stdout).toMatch(/Results of the tasks\nlook:\nthe pen is here\n/);
  expect(stdout).toMatch(new RegExp(`/namespaces/default/workflows/${id}$`, 'm'));
  expect(code).toBe(0);
}, 60_000);

test('a plan that did not succeed ends with exit code 2, and a table says what was found', async () => {
  const failed = `failed-${randomUUID()}`;
  const { code, stdout } = await new ReflectCommand(['run', '-', '--workflow-id', failed], { env, input: FAILING })
    .finished;
  expect(stdout).toMatch(/✗ did not succeed · 1 of 2 tasks · 1 plan/);
  expect(stdout).toMatch(/find +Find the pen +✗ failed +\d\.\d s +[^–\n]*not found/);
  expect(stdout).toMatch(new RegExp(`draft +Draft it +✓ succeeded .* ${failed}/draft`));
  expect(stdout).toMatch(/Issues\n {2}\S/);
  expect(code).toBe(2);
}, 60_000);

test('show and list know plans', async () => {
  expect(JSON.parse(await shown(id, { json: true }))).toMatchObject({
    status: 'COMPLETED',
    progress: {
      goal: 'Publish the report',
      phase: 'done',
      attempt: 2,
      judged: [{ success: false }, { success: true }],
      tasks: [{ id: 'look', issues: [] }],
    },
    result: { success: true, replans: 1 },
  });
  expect(await shown(id)).toMatch(/completed, started [^]*Publish the report[^]*✓ succeeded[^]*look +Look elsewhere/);
  expect(JSON.parse(await shown(id, { output: true }))).toEqual({ look: 'the pen is here' });
  const listed = await eventually(
    () => commands.printed(() => list({ limit: 50 })),
    (text) => new RegExp(`^${id} +plan +succeeded `, 'm').test(text),
  );
  expect(listed).toMatch(/^run +kind +status/);
}, 60_000);

test('Ctrl-C leaves a plan alone; abort cancels it; what only a loop takes is refused with words', async () => {
  const waiting = `waiting-${randomUUID()}`;
  const plan = `goal: Wait\nplan: { tasks: [{ id: wait, description: Wait, step: { action: waits, with: {} } }] }`;
  const running = new ReflectCommand(['run', '-', '--workflow-id', waiting], { env, input: plan });
  await running.says(/▶ wait {2}Wait/);
  running.kill('SIGINT');
  const interrupted = await running.finished;
  expect(interrupted.code).toBe(130);
  expect(interrupted.stderr).toContain(`Stop it: npx reflect abort ${waiting}`);
  expect(await shown(waiting)).toMatch(/running · plan 1 · 0 of 1 task succeeded[^]*wait +Wait +running/);
  await expect(steer('guide', waiting, 'faster')).rejects.toMatchObject({
    type: 'NoLoop',
    message: expect.stringContaining('takes no guide: only loops do'),
  });
  expect(await steer('abort', waiting)).toMatch(/^Cancelled, and with it the tasks/);
  await expect(world.client.plans.result(waiting)).rejects.toMatchObject({ type: 'Cancelled' });
  expect(await shown(waiting)).toMatch(/cancelled[^]*Cancelled: The run was cancelled/);
}, 60_000);

test.each(['reflectionLoop', 'reflectionPipeline', 'planReflection', 'agentReflection', 'reflectionEvaluate'])(
  'show tells of a %s whose spec the worker found wrong',
  async (kind) => {
    const workflowId = `wrong-${kind}-${randomUUID()}`;
    const { taskQueue, temporal } = world.client;
    const wrong = await temporal.workflow.start(kind, { workflowId, taskQueue, args: [{ no_such_field: 1 }] });
    await expect(wrong.result()).rejects.toThrow();
    expect(await shown(workflowId)).toMatch(/failed, started [^]*InvalidSpec: The spec has \d+ mistakes?:\n\S/);
    expect(JSON.parse(await shown(workflowId, { json: true }))).toMatchObject({
      status: 'FAILED',
      failure: { type: 'InvalidSpec', message: expect.stringContaining('no_such_field') },
    });
  },
  30_000,
);

test('a mistake is told with file, line and column, also one that only the worker could find', async () => {
  const options = { state: [], stateFile: [] };
  await expect(run(commands.file(PLAN.replace('[draft]', '[sketch]')), options)).rejects.toThrow(
    /:17:59 {2}plan\.tasks\[1\]\.depends_on\[0\]: there is no task "sketch"/,
  );
  const news = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await expect(run(commands.file(PLAN.replace('uses: gated', 'uses: nobody')), options)).rejects.toThrow(
      /:17:\d+ {2}plan\.tasks\[1\]\.step\.(uses|action): .*nobody/,
    );
  } finally {
    news.mockRestore();
  }
}, 60_000);
