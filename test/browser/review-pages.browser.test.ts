import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ReflectionClient } from '../../src';
import type { DevServer } from '../../src/apps/server/dev-server';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { createWorker, type ReflectionWorker } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { startPrivateServer } from '../../testing/support/temporal-server';
import type { ReflectCommand } from '../apps/cli/reflect-command';
import { hostileLoop } from './hostile-text';
import { DESKTOP, looks, watched } from './looks';
import { DRAFTS } from './release-notes';
import { startReview } from './review-browser';
import { attacks, counts, COUNTS, HOSTILE, NOTES, VERDICTS } from './review-runs';
import { openBrowser } from './web-ui';

const isElsewhere = (url: string): boolean => new URL(url).hostname !== '127.0.0.1';
const IMAGES = path.join(__dirname, '..', '..', 'docs', 'images');

describe('the pages of `reflect review`', () => {
  let server: DevServer;
  let model: ScriptedOpenAI;
  let worker: ReflectionWorker;
  let working: Promise<void>;
  let client: ReflectionClient;
  let command: ReflectCommand;
  let link: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];
  const elsewhere: string[] = [];

  const waits = (workflowId: string, iteration: number) =>
    eventually(
      () => client.progress(workflowId),
      (progress) => progress.phase === 'waiting' && progress.iteration === iteration,
      45_000,
    );

  beforeAll(async () => {
    server = await startPrivateServer();
    let drafts = 0;
    let verdicts = 0;
    model = await ScriptedOpenAI.start({
      script: ({ text }) => ({ reply: text.includes('judge') ? VERDICTS[verdicts++] : DRAFTS[drafts++] }),
    });
    const models = [{ name: 'writer', model: 'writer-1', baseUrl: model.baseUrl }];
    worker = await createWorker({ address: server.address, models, actions: [attacks, counts], memory: false });
    working = worker.run();
    client = await ReflectionClient.connect({ address: server.address });
    ({ command, link } = await startReview(server.address));
    browser = await openBrowser();
    context = await browser.newContext({ viewport: DESKTOP });
    page = watched(await context.newPage(), { problems, requests: elsewhere }, isElsewhere);
    await page.goto(link);
    await page.locator('#waiting').waitFor();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    command?.kill('SIGINT');
    await command?.finished;
    await client?.close();
    worker?.shutdown();
    await working;
    await model?.close();
    await server?.stop();
  });

  test('a person guides a run, then accepts it; who decides about an earlier version is refused', async () => {
    const { workflowId } = await client.start(NOTES, { workflowId: 'release-notes/2.4' });
    await waits(workflowId, 1);
    // The list is kept fresh.
    await page.getByRole('link', { name: workflowId }).waitFor({ timeout: 45_000 });
    await eventually(
      () => page.title(),
      (title) => title.startsWith('1 run waits'),
      45_000,
    );
    await page.getByRole('link', { name: workflowId }).click();
    await page.getByRole('heading', { name: 'release-notes' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('“many things” says nothing');
    await page.locator('#guide-text').fill('Say what is faster.');
    await page.locator('#guide').click();
    await page.getByText('Sent. The next revision gets your text.').waitFor();
    // The page follows the run by itself.
    await page.getByRole('button', { name: 'Accept version 2' }).waitFor({ timeout: 45_000 });
    expect(await page.locator('#version-2 ins').allInnerTexts()).toContain('four times ');
    await looks(page, 'review', {
      'light-1180': 'review-run.png',
      'dark-1180': 'review-run-dark.png',
      'light-360': 'review-run-phone.png',
    });

    // While somebody writes about version 2, another person lets the run go on.
    await page.locator('#guide-text').fill('Name the figures.');
    await client.guide(workflowId, { text: 'Give the number of rows.', by: 'Kim' });
    await waits(workflowId, 3);
    await page.getByText('There is news: waiting for a review of version 3').waitFor({ timeout: 45_000 });
    expect(await page.locator('#accept').innerText()).toBe('Accept version 2');
    await page.locator('#guide').click();
    const refusal = page.getByRole('alert');
    await refusal.waitFor();
    expect(await refusal.innerText()).toContain('iteration 2 is not the current one, which is 3');
    expect((await client.progress(workflowId)).iteration).toBe(3);
    // What is now is there, with what was typed, and stays while the page looks for news.
    expect(await page.locator('#accept').innerText()).toBe('Accept version 3');
    expect(await page.locator('#guide-text').inputValue()).toBe('Name the figures.');
    await page.waitForResponse((response) => response.status() === 304);
    expect(await page.locator('#guide-text').inputValue()).toBe('Name the figures.');
    await refusal.scrollIntoViewIfNeeded();
    if (process.env['UPDATE_SCREENSHOTS'] === '1')
      await page.screenshot({ path: path.join(IMAGES, 'review-stale.png') });
    expect(problems.splice(0)).toEqual([expect.stringContaining('409')]);

    await page.locator('#by').fill('Robin');
    await page.locator('#by').press('Enter');
    await eventually(
      () => page.locator('#guide-text').inputValue(),
      (text) => text === '',
    );
    await page.locator('#guide-text').fill('Say how to upgrade.');
    await page.locator('#guide').click();
    await page.getByRole('button', { name: 'Accept version 4' }).waitFor({ timeout: 45_000 });
    await page.waitForTimeout(800);
    await page.locator('#accept-reason').fill('Clear now.');
    await page.locator('#accept').click();
    const result = await client.result(workflowId);
    expect(result).toMatchObject({ success: true, convergenceReason: 'user_accepted', history: { finalIteration: 4 } });
    expect(result.history.people.map(({ name, by, via, applied }) => [name, by, via, applied])).toEqual([
      ['guide', expect.any(String), 'update', true],
      ['guide', 'Kim', 'update', true],
      ['guide', 'Robin', 'update', true],
      ['accept', 'Robin', 'update', true],
    ]);
    expect(result.history.people.at(-1)!.payload).toMatchObject({ iteration: 4, reason: 'Clear now.' });
    await page.getByText('succeeded: user_accepted').waitFor({ timeout: 45_000 });
    expect(await page.locator('#decide').count()).toBe(0);
    expect(problems).toEqual([]);
    expect(elsewhere).toEqual([]);
  }, 240_000);

  test('shows hostile text as text, also in what can be edited', async () => {
    const { workflowId } = await client.start(
      { ...hostileLoop(HOSTILE, 'version 2 '), review: { when: 'on_exhausted' } },
      { workflowId: '<img src=x onerror=alert(1)>/&"%2F' },
    );
    await waits(workflowId, 2);
    await page.goto(new URL('./', link).href);
    await page.getByRole('link', { name: workflowId }).click();
    await page.getByRole('button', { name: 'Accept version 2' }).waitFor();
    expect(await page.title()).toContain('<script>document.title = "taken"');
    expect(await page.locator('img, iframe, link, b, form[action^="https"]').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    await page.locator('#whole-summary').click();
    const shown = await page.locator('#whole pre').innerText();
    for (const line of HOSTILE.split('\n')) expect(shown.slice(0, 2_000)).toContain(line);
    expect(shown).toContain('⟦U+202E⟧gnp.exe⟦U+0000⟧⟦U+001B⟧[31m');
    expect(shown.length).toBeGreaterThan(200_000);
    await looks(page, 'review-hostile');
    // The version of a person is text, too, and arrives as it was typed.
    const mine = `\n ${HOSTILE}\n\tend &amp; `;
    await page.locator('#override-summary').click();
    await page.locator('#override-output').fill(mine);
    await page.locator('#override').click();
    await page.getByText('Sent. Your version will be judged.').waitFor();
    await waits(workflowId, 3);
    expect((await client.history(workflowId)).at(-1)).toMatchObject({ origin: 'override', output: mine });
    await page.getByRole('button', { name: 'Accept version 3' }).waitFor({ timeout: 45_000 });
    expect(await page.locator('#override-output').inputValue()).toBe(mine);
    expect(problems).toEqual([]);
    expect(elsewhere).toEqual([]);
    // The policy holds: what a mistake of ours would let through does nothing.
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="https://example.com/x.png">')`);
    await eventually(
      () => Promise.resolve(problems.splice(0)),
      (found) => found.some((problem) => problem.includes('Content Security Policy')),
    );
    elsewhere.length = 0;
    await client.abort(workflowId);
  }, 240_000);

  test('the keyboard alone extends, overrides and aborts, with the focus where it was', async () => {
    const { workflowId } = await client.start(COUNTS, { workflowId: 'counts' });
    await waits(workflowId, 1);
    await page.goto(new URL('./', link).href);
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()');
    /** Goes on with Tab until something has the focus. */
    async function tabTo(id: string): Promise<void> {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if ((await focused()) === id) return;
      }
      throw new Error(`Tab never came to ${id}; it is at ${String(await focused())}`);
    }
    await tabTo(`run-${workflowId}`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Accept version 1' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('To the decision');
    await page.keyboard.press('Enter');
    await tabTo('extend-iterations');
    await page.keyboard.type('5');
    await tabTo('extend');
    await page.keyboard.press('Enter');
    await page.getByText('The limit is raised.').waitFor();
    expect((await client.progress(workflowId)).maxIterations).toBe(7);

    await tabTo('decide-continue');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    // Somebody else lets it go on: the page changes below the focus, and right then takes no key for an answer.
    await page.evaluate(`new MutationObserver((_changes, observer) => {
      observer.disconnect();
      document.activeElement.form.requestSubmit();
    }).observe(document.body, { childList: true })`);
    await client.decide(workflowId, { iteration: 1, decision: 'continue' });
    await page.getByRole('button', { name: 'Accept version 2' }).waitFor({ timeout: 45_000 });
    expect(await focused()).toBe('decide-continue');
    await page.waitForTimeout(1_000);
    expect((await client.progress(workflowId)).iteration).toBe(2);

    await page.keyboard.press('Shift+Tab');
    await tabTo('override-summary');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator('#override-output').inputValue()).toContain('"iteration": 2');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('{"missing": ');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('is no JSON: line 1, column 13');
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')]);
    expect(await page.locator('#override-output').inputValue()).toBe('{"missing": ');
    await tabTo('override-output');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('1}');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Accept version 3' }).waitFor({ timeout: 45_000 });
    expect((await client.history(workflowId)).at(-1)).toMatchObject({ output: { missing: 1 }, origin: 'override' });

    await page.waitForTimeout(800);
    await page.locator('h1').focus();
    await tabTo('abort-summary');
    await page.keyboard.press('Enter');
    await tabTo('abort');
    await page.keyboard.press('Enter');
    expect(await client.result(workflowId)).toMatchObject({ convergenceReason: 'aborted' });
    expect(problems).toEqual([]);
  }, 240_000);

  test('without scripts, and for one browser only', async () => {
    const { workflowId } = await client.start(COUNTS, { workflowId: 'plain' });
    await waits(workflowId, 1);
    const cookies = await context.cookies();
    // Other servers of this address do not have the path, and are not sent it.
    const { pathname } = new URL('./', link);
    expect(pathname).toMatch(/^\/[\w-]{20,}\/$/);
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: pathname }]);
    // The link was used.
    const stranger = await (await browser.newContext()).newPage();
    const answers = [await stranger.goto(link), await stranger.goto(new URL('runs/plain', link).href)];
    expect(answers.map((answer) => answer!.status())).toEqual([401, 401]);
    expect(await stranger.locator('body').innerText()).not.toContain('plain');

    const plain = await browser.newContext({ javaScriptEnabled: false });
    await plain.addCookies(cookies);
    const quiet = await plain.newPage();
    await quiet.goto(new URL('runs/plain', link).href);
    // A click on a page that is old.
    await client.decide(workflowId, { iteration: 1, decision: 'continue' });
    await waits(workflowId, 2);
    await quiet.locator('#abort-summary').click();
    await quiet.locator('#abort').click();
    expect(await quiet.getByRole('alert').innerText()).toContain('iteration 1 is not the current one, which is 2');
    expect((await client.progress(workflowId)).phase).toBe('waiting');
    await quiet.locator('#accept').click();
    expect(await client.result(workflowId)).toMatchObject({ history: { finalIteration: 2 } });
  }, 240_000);

  test('says when no worker answers', async () => {
    const { workflowId } = await client.start(COUNTS, { workflowId: 'alone' });
    await waits(workflowId, 1);
    await page.goto(new URL('runs/alone', link).href);
    await page.locator('#accept').waitFor();
    worker.shutdown();
    await working;
    await page.locator('#guide-text').fill('Count faster.');
    await page.locator('#guide').click();
    const alert = page.getByRole('alert');
    await alert.waitFor({ timeout: 60_000 });
    problems.length = 0;
    expect(await page.locator('main').innerText()).toContain('Queue "reflection"');
    await looks(page, 'review-no-worker');
  }, 240_000);
});
