import path from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { z } from 'zod';
import { ReflectionClient } from '../../src';
import type { DevServer } from '../../src/apps/server/dev-server';
import { createWorker, defineAction, type ReflectionWorker } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { startPrivateServer } from '../../testing/support/temporal-server';
import { frameWith, openBrowser, runPageUrl } from './web-ui';

/** Gates that are open. */
const open = new Set<string>();

const does = defineAction({
  name: 'does',
  description: 'Gives a value, or fails, once its gate is open, if it has one.',
  input: z.object({ value: z.json().optional(), error: z.string().optional(), gate: z.string().optional() }),
  run: async ({ value = 'done', error, gate }) => {
    while (gate !== undefined && !open.has(gate)) await new Promise((resolve) => setTimeout(resolve, 20));
    if (error !== undefined) throw new Error(error);
    return value;
  },
});
const step = (given: object) => ({ action: 'does', with: given as never });
const loop = (given: object) => ({
  generator: step(given),
  evaluator: { type: 'schema' as const, schema: { type: 'object', required: ['age'] } },
  maxIterations: 2,
});

describe('pages of plans and pipelines in the Temporal Web UI', () => {
  let server: DevServer;
  let worker: ReflectionWorker;
  let working: Promise<void>;
  let client: ReflectionClient;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = await startPrivateServer({ ui: true });
    worker = await createWorker({ address: server.address, actions: [does], memory: false, drainMs: 0 });
    working = worker.run();
    client = await ReflectionClient.connect({ address: server.address });
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  }, 60_000);
  afterAll(async () => {
    for (const gate of ['plan', 'pipeline']) open.add(gate);
    await browser?.close();
    await client?.close();
    worker?.shutdown();
    await working;
    await server?.stop();
  });

  /** The frame of a run's page that shows something, and a picture of the page in `PICTURES`, where that is set. */
  async function look(run: { workflowId: string; runId: string }, selector: string, name: string): Promise<Frame> {
    await page.goto(runPageUrl(server.uiUrl!, run));
    const frame = await frameWith(page, selector);
    const { PICTURES } = process.env;
    if (PICTURES !== undefined) await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
    return frame;
  }

  test('a plan says which of its tasks are done, run, failed and wait, and where to send what is for a loop', async () => {
    const { result, ...run } = await client.plans.start(
      {
        goal: 'Publish the quarterly report',
        enableLlmReflection: false,
        maxReplanningAttempts: 0,
        plan: {
          id: 'first',
          tasks: [
            { id: 'collect', description: 'Collect the figures', step: step({}) },
            { id: 'pictures', description: 'Find the pictures', step: step({ error: 'not found: pictures.zip' }) },
            {
              id: 'write',
              description: 'Write it',
              dependsOn: ['collect'],
              step: { loop: loop({ gate: 'plan', value: { age: 1 } }) },
            },
            { id: 'print', description: 'Print it', dependsOn: ['write', 'pictures'], step: step({}) },
          ],
        },
      },
      { workflowId: 'quarterly-report' },
    );
    await eventually(
      () => client.plans.progress(run.workflowId),
      ({ tasks }) => tasks.some(({ status }) => status === 'running') && tasks[1]!.status === 'failed',
    );
    const frame = await look(run, 'li', 'plan-under-way');
    const text = await frame.locator('body').innerText();
    expect(text).toContain('Carrying out the plan · 1 of 4 tasks done · 1 running · 1 failed');
    expect(await frame.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/✅ collect: Collect the figures · \d/),
      expect.stringMatching(/❌ pictures: .* — .*not found: pictures\.zip/),
      expect.stringMatching(/▶ write: Write it$/),
      expect.stringMatching(/· print: Print it$/),
    ]);
    expect(text).toContain('go to the loop: quarterly-report/write');
    open.add('plan');
    await result();
    const ended = await (await look(run, 'li', 'plan-ended')).locator('body').innerText();
    expect(ended).toMatch(/Did not succeed · 2 of 4 tasks done · 1 failed[^]*What was found:/);
  }, 60_000);

  test('a pipeline says node by node where it stands', async () => {
    const run = await client.pipelines.start(
      {
        name: 'ages',
        nodes: [
          { name: 'given', ...step({ value: { topic: 'age' } }) },
          { name: 'guess', uses: 'reflection.loop', with: loop({ value: { age: 36 } }), output: 'person' },
          { name: 'wait', ...step({ gate: 'pipeline' }), output: 'waited' },
          { name: 'say', ...step({}), output: 'said' },
        ],
      },
      { workflowId: 'ages-of-people' },
    );
    await eventually(
      () => client.pipelines.progress(run.workflowId),
      ({ nodes }) => nodes[2]!.status === 'running',
    );
    const frame = await look(run, 'li', 'pipeline-under-way');
    const text = await frame.locator('body').innerText();
    expect(text).toContain('Running node 3 of 4, wait');
    expect(await frame.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/✅ 1, given: does · \d/),
      expect.stringMatching(
        /✅ 2, guess: reflection\.loop · quality_met after 1 version · .* · ages-of-people\/guess$/,
      ),
      expect.stringMatching(/▶ 3, wait: does$/),
      expect.stringMatching(/· 4, say: does$/),
    ]);
    expect(text).toContain('State: topic, age, success, valid, exhausted, person');
    open.add('pipeline');
    await client.pipelines.result(run.workflowId);
    const ended = await look(run, 'li', 'pipeline-ended');
    expect(await ended.locator('body').innerText()).toContain('Ended: all 4 nodes done');
  }, 60_000);
});
