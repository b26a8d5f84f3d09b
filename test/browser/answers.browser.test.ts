import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { ReflectionClient, type ReflectionSpec } from '../../src';
import type { DevServer } from '../../src/apps/server/dev-server';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { createWorker, defineAction, type ReflectionWorker } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { startPrivateServer } from '../../testing/support/temporal-server';
import type { ReflectCommand } from '../apps/cli/reflect-command';
import { DESKTOP, looks, watched } from './looks';
import { startReview } from './review-browser';
import { HOSTILE } from './review-runs';
import { openBrowser } from './web-ui';

const refunds: unknown[] = [];
const refund = defineAction({
  name: 'refund',
  description: 'Pays money back to a customer.',
  input: z.object({ order: z.string(), amount: z.number().max(500), note: z.string() }),
  approval: true,
  run: (given) => {
    refunds.push(given);
    return `paid ${given.amount}`;
  },
});

const QUESTION = `The customer has two orders that arrived broken. Which one is the letter about?\n\n${HOSTILE}`;
const OPTIONS = ['Order 1042, the lamp', 'Order 1077, the <b>vase</b> \u202eesav'];
const LAMP = { order: '1042', amount: 49.9, note: 'The shade was cracked.' };
const VASE = { order: '1077', amount: 320, note: 'A goodwill payment for the long wait.' };

const SPEC: ReflectionSpec = {
  name: 'letter',
  task: 'Answer the complaint.',
  generator: { action: 'llm.call', prompt: 'Answer the complaint.', tools: ['ask_person', 'refund'] },
  evaluator: { type: 'regex', pattern: 'Dear' },
  questions: { timeout: '4h' },
};

const tool = (name: string, given: object) => ({ name, arguments: given });

describe('answers on the pages of `reflect review`', () => {
  let server: DevServer;
  let model: ScriptedOpenAI;
  let worker: ReflectionWorker;
  let working: Promise<void>;
  let client: ReflectionClient;
  let command: ReflectCommand;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  const elsewhere: string[] = [];

  beforeAll(async () => {
    server = await startPrivateServer();
    model = await ScriptedOpenAI.start({
      script: [
        { toolCalls: [tool('ask_person', { question: QUESTION, options: OPTIONS })] },
        { toolCalls: [tool('refund', LAMP), tool('refund', VASE)] },
        { reply: 'Dear customer, we paid you back what the lamp cost.' },
      ],
    });
    const models = [{ name: 'writer', model: 'writer-1', baseUrl: model.baseUrl }];
    worker = await createWorker({ address: server.address, models, actions: [refund], memory: false });
    working = worker.run();
    client = await ReflectionClient.connect({ address: server.address });
    const review = await startReview(server.address);
    command = review.command;
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: DESKTOP });
    const isElsewhere = (url: string): boolean => new URL(url).hostname !== '127.0.0.1';
    page = watched(await context.newPage(), { problems, requests: elsewhere }, isElsewhere);
    await page.goto(review.link);
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

  test('a question is answered, one call approved and another refused', async () => {
    const { workflowId } = await client.start(SPEC, { workflowId: 'letter-7' });
    await page.getByRole('link', { name: workflowId }).waitFor({ timeout: 45_000 });
    await page.getByText('waits for an answer').waitFor({ timeout: 45_000 });
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/list.png` });
    await page.getByRole('link', { name: workflowId }).click();
    await page.locator('#wait-question-1').waitFor();
    expect(await page.locator('.asked').innerText()).toContain('<img src=https://example.com/a.png onerror=');
    await looks(page, 'question');
    // What is chosen and typed is there still when the page was renewed.
    await page.getByLabel(OPTIONS[0]!).check();
    await page.locator('#text-question-1').fill('The lamp only.');
    await page.waitForResponse((response) => response.status() === 304);
    expect(await page.getByLabel(OPTIONS[0]!).isChecked()).toBe(true);
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/chosen.png` });
    await page.locator('#answer').click();
    await page.getByText('Your answer is taken.').waitFor();

    const both = page.locator('#wait-approval-2');
    await both.waitFor({ timeout: 45_000 });
    expect(await page.locator('#wait-approval-2 pre').innerText()).toBe(JSON.stringify(VASE, null, 2));
    await looks(page, 'approval', { 'light-1180': 'review-approval.png' });
    // Arguments that are changed, and a choice that forgets that.
    await page.locator('#decision-approval-1-approve').check();
    await page.locator('#change-approval-1-summary').click();
    await page.locator('#arguments-approval-1').fill('{"order": "1042", "amount": 5}');
    // Right after a page was renewed, no form is sent.
    await page.waitForTimeout(800);
    await page.locator('#answer').click();
    await page.getByText('You changed the arguments of approval-1').waitFor();
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')]);
    expect(refunds).toEqual([]);
    await page.locator('#arguments-approval-1').fill(JSON.stringify(LAMP, null, 2));
    await page.locator('#decision-approval-2-refuse').check();
    await page.locator('#reason-approval-2').fill('No goodwill payments.');
    await page.locator('#answer').click();
    await page.getByText('Taken: approval-1, approval-2.').waitFor();

    const result = await client.result(workflowId);
    expect(result).toMatchObject({ success: true });
    expect(refunds).toEqual([LAMP]);
    const made = result.history.versions[0]!.calls!.map(({ name, result: text, person }) => [
      name,
      text,
      person?.decision,
    ]);
    expect(made).toEqual([
      ['ask_person', `${OPTIONS[0]}\nThe lamp only.`, 'answered'],
      ['refund', 'paid 49.9', 'approved'],
      ['refund', expect.stringContaining('No goodwill payments.'), 'refused'],
    ]);
    expect(problems).toEqual([]);
    expect(elsewhere).toEqual([]);
    await eventually(
      () => page.title(),
      (title) => title.includes('letter'),
    );
  });
});
