import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { program } from '../../src/apps/cli/program/program';
import { report as reportCommand } from '../../src/apps/cli/runs/report';
import { type LoopReport, ReflectionClient, type ReflectionSpec } from '../../src';
import { runReport } from '../../src/kinds/report/contract';
import type { DevServer } from '../../src/apps/server/dev-server';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { createWorker, defineAction, type ReflectionWorker } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { startPrivateServer } from '../../testing/support/temporal-server';
import { HOSTILE, hostileLoop } from './hostile-text';
import { DESKTOP, looks, watched } from './looks';
import { DRAFTS, RELEASE_NOTES, verdictsWith } from './release-notes';
import { openBrowser } from './web-ui';

const PROJECT = path.join(__dirname, '..', '..');
const SCREENSHOT = path.join(PROJECT, 'docs', 'images', 'report.png');

const VERDICTS = verdictsWith({ score: 0.85, reason: 'Concrete and short.', issues: [] });
const NOTES: ReflectionSpec = { ...RELEASE_NOTES, review: { when: 'on_satisfactory' } };

/** Each version is other text with the same attacks, and large. */
const attacks = defineAction({
  name: 'attacks',
  description: 'Writes what would be harmful in a page.',
  input: z.unknown(),
  run: (_input, { iteration }) =>
    `${HOSTILE}\n${`version ${iteration} of ${iteration * 7} <b>words</b>. `.repeat(6_500)}`,
});
const counts = defineAction({
  name: 'counts',
  description: 'Gives its iteration.',
  input: z.unknown(),
  run: (_input, { iteration }) => ({ iteration }),
});

describe('the page of a report', () => {
  let server: DevServer;
  let model: ScriptedOpenAI;
  let worker: ReflectionWorker;
  let working: Promise<void>;
  let client: ReflectionClient;
  let browser: Browser;
  let page: Page;
  const folder = mkdtempSync(path.join(tmpdir(), 'report-'));
  const problems: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    server = await startPrivateServer();
    let drafts = 0;
    let verdicts = 0;
    model = await ScriptedOpenAI.start({
      script: ({ text }) => ({ reply: text.includes('judge') ? VERDICTS[verdicts++] : DRAFTS[drafts++] }),
    });
    const models = [
      {
        name: 'writer',
        model: 'writer-1',
        baseUrl: model.baseUrl,
        prices: { inputPerMillion: 3, outputPerMillion: 15 },
      },
    ];
    worker = await createWorker({ address: server.address, models, actions: [attacks, counts], memory: false });
    working = worker.run();
    client = await ReflectionClient.connect({ address: server.address });
    browser = await openBrowser();
    page = watched(await browser.newPage({ viewport: DESKTOP }), { problems, requests });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await client?.close();
    worker?.shutdown();
    await working;
    await model?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes the report of a run as the command does, and opens it. */
  async function open(workflowId: string): Promise<string> {
    const file = path.join(folder, `${workflowId}.html`);
    const spy = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await reportCommand(workflowId, { html: file, address: server.address });
    spy.mockRestore();
    requests.length = 0;
    const url = pathToFileURL(file).href;
    await page.goto(url);
    expect(requests).toEqual([url]);
    return file;
  }

  test('tells of a run under way and at its end: scores, changes, issues, people, and tokens by role', async () => {
    const { workflowId } = await client.start(NOTES, { workflowId: 'release-notes-2.4' });
    const waits = (iteration: number) =>
      eventually(
        () => client.progress(workflowId),
        (progress) => progress.phase === 'waiting' && progress.iteration === iteration,
      );
    await waits(3);
    await open(workflowId);
    expect(await page.locator('.notice').innerText()).toContain('Waits for a person');
    await client.guide(workflowId, { text: 'Say how to upgrade.', by: 'Robin' });
    await waits(4);
    const underWay = (await client.report(workflowId)) as LoopReport;
    expect(underWay).toMatchObject({ phase: 'waiting', versions: { length: 4 }, bestIteration: 4 });
    expect(underWay.actions).toMatchObject([
      { name: 'guide', by: 'Robin', words: 'Say how to upgrade.', applied: true },
    ]);
    await client.accept(workflowId, { iteration: 4, by: 'Robin', reason: 'Clear now.' });
    const result = await client.result(workflowId);
    const report = await client.report(workflowId);
    expect(runReport.safeParse(report)).toMatchObject({ success: true });
    // Nothing is left for `other`: the histories have every call.
    expect(report.roles.map(({ role, tokenUsage }) => [role, tokenUsage.modelCalls])).toEqual([
      ['generator', 1],
      ['evaluators', 4],
      ['corrector', 3],
    ]);
    expect(report.roles.reduce((sum, { tokenUsage }) => sum + tokenUsage.totalTokens, 0)).toBe(
      result.tokenUsage.totalTokens,
    );
    // The example of the docs.
    const [, example = ''] = /npx (reflect report release-notes-2\.4 .*)/.exec(
      readFileSync(path.join(PROJECT, 'docs', 'reports.md'), 'utf8'),
    )!;
    await program(() => undefined).parseAsync(['node', ...example.split(' '), '--address', server.address]);
    const made = path.resolve('report.html');
    await page.goto(pathToFileURL(made).href);
    rmSync(made);
    const text = await page.locator('body').innerText();
    for (const told of [
      'succeeded: user_accepted',
      'Clear now.',
      'Say how to upgrade.',
      'Fixed (3)',
      'version 4, 0.95',
    ])
      expect(text).toContain(told);
    expect(await page.locator('svg circle:not(.best)').count()).toBe(4);
    expect(await page.locator('details[open] ins').allInnerTexts()).toEqual([expect.stringContaining('app upgrade')]);
    // A keyboard opens the next one.
    await page.locator('summary').nth(1).focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details').nth(1).locator('del').allInnerTexts()).toContain('large ');
    await looks(page, 'report');
    await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
    const picture = await page.screenshot(process.env['UPDATE_SCREENSHOTS'] === '1' ? { path: SCREENSHOT } : {});
    expect(picture.byteLength).toBeGreaterThan(10_000);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.locator('pre.text', { hasText: 'many things' }).first().isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    expect(problems).toEqual([]);
  }, 90_000);

  test('shows hostile text as text, and asks for nothing', async () => {
    const { workflowId } = await client.start(hostileLoop(HOSTILE), { workflowId: 'hostile' });
    await client.result(workflowId);
    const file = await open(workflowId);
    expect(await page.title()).toMatch(/^<\/pre><\/style><\/script><script>.* – report$/);
    expect(await page.locator('script, img, iframe, link, form, button, b').count()).toBe(0);
    const shown = await page.locator('section pre.text').last().innerText();
    const head = shown.slice(0, 2_000);
    for (const line of HOSTILE.split('\n').filter((_, index) => index !== 4)) expect(head).toContain(line);
    expect(head).toContain('⟦U+202E⟧gnp.exe ⟦U+2066⟧isolated⟦U+2069⟧ ⟦U+200B⟧⟦U+0000⟧⟦U+001B⟧[31mred ⟦U+FEFF⟧');
    expect(head).toContain('version 1 of 7 <b>words</b>.');
    expect(shown.length).toBeGreaterThan(180_000);
    // Too many words changed: lines are compared.
    expect((await page.locator('ins').first().innerText()).slice(0, 28)).toBe('version 2 of 14 <b>words</b>');
    const written = readFileSync(file, 'utf8');
    for (const unwanted of ['\u202e', '\u2066', '\u0000', '\u001b', '<script'])
      expect(written.includes(unwanted)).toBe(false);
    await looks(page, 'hostile');
    expect(problems).toEqual([]);
    // The policy holds: what a mistake of ours would let through does nothing.
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="https://example.com/x.png">')`);
    await eventually(
      () => Promise.resolve(problems.splice(0)),
      (found) => found.some((problem) => problem.includes('Content Security Policy')),
    );
  }, 90_000);

  test('tells of a chain of runs as of one, and of a plan', async () => {
    const chain = await client.start(
      {
        generator: { action: 'counts' },
        evaluator: { type: 'schema', schema: { type: 'object', required: ['missing'] } },
        maxIterations: 60,
        convergence: false,
      },
      { workflowId: 'chain' },
    );
    await client.result(chain.workflowId);
    const report = (await client.report(chain.workflowId)) as LoopReport;
    expect(report).toMatchObject({ runs: 2, status: 'COMPLETED', success: false, convergenceReason: 'max_iterations' });
    expect(report.versions.map(({ output }) => output)).toEqual(
      Array.from({ length: 60 }, (_, index) => ({ iteration: index + 1 })),
    );
    await open(chain.workflowId);
    await looks(page, 'chain');
    const plan = {
      id: 'p',
      tasks: [
        { id: 'collect', description: 'Collect the figures', step: { action: 'counts' } },
        { id: 'write', description: 'Write <it>', dependsOn: ['collect'], step: { action: 'attacks' } },
      ],
    };
    await client.plans.run({ goal: 'Publish & <print> it', enableLlmReflection: false, plan }, { workflowId: 'plan' });
    await open('plan');
    const text = await page.locator('body').innerText();
    for (const told of ['Publish & <print> it', 'Write <it>', '2 of 2 succeeded', '✓ succeeded'])
      expect(text).toContain(told);
    await looks(page, 'plan');
    await expect(client.report('no-such-run')).rejects.toMatchObject({ type: 'RunNotFound' });
    const { workflowId } = await client.evaluations.start({ evaluator: { type: 'regex', pattern: 'x' }, data: 'x' });
    await expect(client.report(workflowId)).rejects.toMatchObject({ type: 'NoReport' });
    expect(problems).toEqual([]);
  }, 90_000);

  test('tells of a batch, with hostile text as text', async () => {
    const items = [1, 2, 3, 4].map((value) => ({
      id: `${value} ${HOSTILE.replaceAll(/[/\p{Cc}]/gu, '').slice(0, 80)}`,
      value,
    }));
    const loop: ReflectionSpec = {
      name: 'sorted messages',
      task: '<b>Sort</b> the message.',
      generator: { action: 'counts' },
      evaluator: { type: 'schema', schema: { type: 'object', required: ['iteration'] } },
    };
    const { workflowId } = await client.batches.start(items, loop, { workflowId: 'messages' });
    await client.batches.result(workflowId);
    await open(workflowId);
    expect(await page.locator('.badge').innerText()).toBe('4 of 4 passed');
    expect(await page.locator('#items ~ .wide tbody tr').count()).toBe(4);
    expect(await page.locator('body').innerText()).toContain('<script>document.title');
    await looks(page, 'batch');
    expect(problems).toEqual([]);
  }, 90_000);
});
