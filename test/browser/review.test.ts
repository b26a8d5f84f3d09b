import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { ReflectionClient, type RunReference } from '../../src/index';
import type { DevServer } from '../../src/server/dev-server';
import { createWorker, defineAction, type ReflectionWorker } from '../../src/worker';
import { eventually } from '../support/eventually';
import { startPrivateServer } from '../support/temporal-server';
import { frameWith, openBrowser, runPageUrl } from './web-ui';

const SCREENSHOT = path.join(__dirname, '..', '..', 'docs', 'images', 'review-page.png');

const writeProfile = defineAction({
  name: 'profile.write',
  description: 'Writes a profile that lacks an address.',
  input: z.unknown(),
  run: (_input, { iteration }) => ({ name: 'Robin', attempt: iteration }),
});

describe('D4 a review in the Temporal Web UI', () => {
  let server: DevServer;
  let worker: ReflectionWorker;
  let working: Promise<void>;
  let client: ReflectionClient;
  let browser: Browser;
  let page: Page;
  let run: RunReference;

  beforeAll(async () => {
    server = await startPrivateServer({ ui: true });
    worker = await createWorker({ address: server.address, actions: [writeProfile] });
    working = worker.run();
    client = await ReflectionClient.connect({ address: server.address });
    run = await client.start(
      {
        name: 'profile',
        generator: { action: 'profile.write' },
        evaluator: { type: 'schema', schema: { type: 'object', required: ['name', 'email'] } },
        maxIterations: 2,
        review: { when: 'on_exhausted', timeout: '2d' },
      },
      { workflowId: 'profile-to-review' },
    );
    await eventually(
      () => client.progress(run.workflowId),
      ({ phase }) => phase === 'waiting',
    );
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    await page.goto(runPageUrl(server.uiUrl!, run));
  });

  afterAll(async () => {
    await browser?.close();
    await client?.close();
    worker?.shutdown();
    await working;
    await server?.stop();
  });

  test('D4 the page says what the run waits for, until when, and what can be sent', async () => {
    const frame = await frameWith(page, 'table');
    const text = await frame.locator('body').innerText();
    expect(text).toContain('Waiting for a review of version 2');
    expect(text).toMatch(/It waits for you until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(text).toContain('{"by":"you","iteration":2}');
    const picture = await page.screenshot(process.env['UPDATE_SCREENSHOTS'] === '1' ? { path: SCREENSHOT } : {});
    expect(picture.byteLength).toBeGreaterThan(10_000);
  });
});
