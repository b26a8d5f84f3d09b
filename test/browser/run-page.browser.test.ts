import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import {
  type JsonObject,
  ReflectionClient,
  type ReflectionResult,
  type ReflectionSpec,
  type RunReference,
} from '../../src';
import type { DevServer } from '../../src/apps/server/dev-server';
import { createWorker, defineAction, type ReflectionWorker } from '../../src/worker';
import { startPrivateServer } from '../../testing/support/temporal-server';
import { frameWith, openBrowser, runPageUrl, runTabUrl, tableIn } from './web-ui';

const SCREENSHOT = path.join(__dirname, '..', '..', 'docs', 'images', 'run-page.png');

const RESULT_SCREENSHOT = path.join(__dirname, '..', '..', 'docs', 'images', 'run-result.png');

const PROFILES: JsonObject[] = [
  { name: 'Robin' },
  { name: 'Robin', email: 'robin at home' },
  { name: 'Robin', email: 'robin@example.com' },
];

/** Learns to write a profile: each version is better than the one before. */
const writeProfile = defineAction({
  name: 'profile.write',
  description: 'Writes a user profile, better with each iteration.',
  input: z.unknown(),
  run: (_input, { iteration }) => PROFILES[iteration - 1]!,
});

const spec: ReflectionSpec = {
  name: 'json-generation',
  task: 'Write a profile with a name and an email address.',
  generator: { action: 'profile.write' },
  evaluator: {
    type: 'schema',
    schema: {
      type: 'object',
      required: ['name', 'email'],
      properties: { name: { type: 'string' }, email: { type: 'string', pattern: '^[^@ ]+@[^@ ]+$' } },
    },
  },
  maxIterations: 3,
};

describe('the run page in the Temporal Web UI', () => {
  let server: DevServer;
  let worker: ReflectionWorker;
  let working: Promise<void>;
  let client: ReflectionClient;
  let browser: Browser;
  let page: Page;
  let run: RunReference;
  let result: ReflectionResult;

  beforeAll(async () => {
    server = await startPrivateServer({ ui: true });
    worker = await createWorker({ address: server.address, actions: [writeProfile] });
    working = worker.run();
    client = await ReflectionClient.connect({ address: server.address });
    run = await client.start(spec, { workflowId: 'profile-of-robin' });
    result = await client.result(run.workflowId);
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(runPageUrl(server.uiUrl!, run));
  });

  afterAll(async () => {
    await browser?.close();
    await client?.close();
    worker?.shutdown();
    await working;
    await server?.stop();
  });

  test('shows every iteration with its outcome, score and top issue', async () => {
    expect(result).toMatchObject({ success: true, iterationsUsed: 3 });
    const frame = await frameWith(page, 'table');
    const [head, ...rows] = await tableIn(frame);
    expect(head).toEqual(['#', 'score', 'checks', 'top issue', 'tokens']);
    expect(rows.map(([number]) => number)).toEqual(['1', '2', '3 ★']);
    expect(rows.map(([, score]) => score)).toEqual([
      expect.stringContaining('0.00'),
      expect.stringContaining('0.00'),
      expect.stringContaining('1.00'),
    ]);
    expect(rows[0]![3]).toContain('email');
    expect(await frame.locator('body').innerText()).toContain('quality_met');
  });

  test('keeps a picture of it', async () => {
    await frameWith(page, 'table');
    const picture = await page.screenshot(process.env['UPDATE_SCREENSHOTS'] === '1' ? { path: SCREENSHOT } : {});
    expect(picture.byteLength).toBeGreaterThan(10_000);
  });

  test('without a worker, the result shows the table, and the page says where it is', async () => {
    worker.shutdown();
    await working;
    await page.goto(runTabUrl(server.uiUrl!, run, 'timeline'));
    const shown = page.locator('[contenteditable], .cm-content, pre', { hasText: 'Ended: quality_met' }).first();
    await shown.waitFor();
    const text = await shown.innerText();
    expect(text).toContain('Ended: quality_met after 3 versions · best: #3 with 1.00');
    expect(text).toMatch(/1 +fail 0\.00 .*email: is missing/);
    expect(text).toMatch(/3 ★ +pass 1\.00 \(\+1\.00\)/);
    const picture = await page.screenshot(process.env['UPDATE_SCREENSHOTS'] === '1' ? { path: RESULT_SCREENSHOT } : {});
    expect(picture.byteLength).toBeGreaterThan(10_000);
    await page.goto(runPageUrl(server.uiUrl!, run));
    const details = await frameWith(page, 'text=kept in its result');
    expect(await details.locator('body').innerText()).toContain('on the tab Memo');
  });
});
