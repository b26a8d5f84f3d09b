import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { COMMAND_NAMES, COMMANDS } from '../../src/loop/base/command-payloads';
import { ReflectionClient, type RunReference } from '../../src';
import type { DevServer } from '../../src/apps/server/dev-server';
import { createWorker, defineAction, type ReflectionWorker } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { startPrivateServer } from '../../testing/support/temporal-server';
import { frameWith, openBrowser, runPageUrl } from './web-ui';

const IMAGES = path.join(__dirname, '..', '..', 'docs', 'images');
const PAGE_SCREENSHOT = path.join(IMAGES, 'review-page.png');
const FORM_SCREENSHOT = path.join(IMAGES, 'review-signal.png');

/** Keeps the picture in the docs, when that is what the tests are run for. */
function renewed(file: string): { path?: string } {
  return process.env['UPDATE_SCREENSHOTS'] === '1' ? { path: file } : {};
}

/** What a model wrote is no Markdown and no HTML of the page. */
const NOTE = '**kind** <img src=x>';

const writeProfile = defineAction({
  name: 'profile.write',
  description: 'Writes a profile that lacks an address.',
  input: z.unknown(),
  // The second version has more of what is asked for: the better one is under review.
  run: (_input, { iteration }) => ({
    name: 'Robin',
    attempt: iteration,
    note: NOTE,
    ...(iteration > 1 && { town: 'Ulm' }),
  }),
});

describe('a review in the Temporal Web UI', () => {
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
        evaluator: { type: 'schema', schema: { type: 'object', required: ['name', 'email', 'town'] } },
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

  test('the page says what the run waits for, until when, and what can be sent', async () => {
    const frame = await frameWith(page, 'table');
    const text = await frame.locator('body').innerText();
    expect(text).toContain('Waiting for a review of version 2');
    expect(text).toMatch(/It waits for you until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(text).toContain('{"by":"you","iteration":2}');
    // What is decided about stands there, as it is, and what changed.
    expect(text).toContain('The text of version 2:');
    expect(await frame.locator('pre').innerText()).toContain(`"note": "${NOTE}"`);
    expect(await frame.locator('img').count()).toBe(0);
    expect(text).toContain('Changes since version 1:');
    expect(text).toContain('attempt: 1 → 2');
    expect(text).toContain('npx reflect show profile-to-review --output');
    const picture = await page.screenshot(renewed(PAGE_SCREENSHOT));
    expect(picture.byteLength).toBeGreaterThan(10_000);
  });

  test('a list filter shows what waits for a person', async () => {
    const filter = encodeURIComponent('ReflectionStatus="waiting"');
    await page.goto(`${server.uiUrl}/namespaces/default/workflows?query=${filter}`);
    const listed = page.locator('a', { hasText: 'profile-to-review' });
    await listed.first().waitFor();
    await page.goto(
      `${server.uiUrl}/namespaces/default/workflows?query=${encodeURIComponent('ReflectionStatus="failed"')}`,
    );
    await page
      .getByText(/No Workflows/i)
      .first()
      .waitFor();
    expect(await listed.count()).toBe(0);
    await page.goto(runPageUrl(server.uiUrl!, run));
  });

  test('a signal that is sent from the form of the Web UI takes effect', async () => {
    // The page holds its menu twice, for narrow and for wide windows; one of them is seen.
    await page.locator('[aria-controls="workflow-actions"]:visible').click();
    await page.locator('[data-testid="signal-button"]:visible').click();
    const form = page.locator('form:visible', { has: page.locator('#signal-select') });
    await form.getByTestId('signal-select-button').click();
    const accept = form.getByRole('option', { name: /^accept/ });
    await accept.waitFor();
    // The form offers what the run takes.
    const offered = await form.getByRole('option').allInnerTexts();
    const described = COMMAND_NAMES.map((name) => `${name}\n${COMMANDS[name].description}`);
    expect(offered.map((text) => text.trim().replace(/\n+/g, '\n'))).toEqual(expect.arrayContaining(described));
    await accept.click();
    const data = form.getByRole('textbox', { name: 'Data' });
    await data.fill('{"by": "reviewer", "iteration": 2}');
    // Once it is left, the editor lays JSON out anew, and the button below it moves.
    await data.blur();
    await eventually(
      () => data.innerText(),
      (text) => text.includes('\n'),
    );
    const picture = await page.screenshot(renewed(FORM_SCREENSHOT));
    expect(picture.byteLength).toBeGreaterThan(10_000);
    await form.getByTestId('confirm-modal-button').click();

    const result = await client.result(run.workflowId);
    expect(result).toMatchObject({ success: true, convergenceReason: 'user_accepted', history: { finalIteration: 2 } });
    expect(result.history.people).toMatchObject([{ name: 'accept', by: 'reviewer', via: 'signal', applied: true }]);
    await page.reload();
    const frame = await frameWith(page, 'table');
    expect(await frame.locator('body').innerText()).toContain('user_accepted');
  });
});
