import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { NO_USAGE } from '../../src/lib/base/tokens';
import type { Arm } from '../../src/apps/experiment/arms';
import { compareArms } from '../../src/apps/experiment/comparison';
import { listCautions, renderConclusion } from '../../src/apps/experiment/conclusion-text';
import type { CaseOutcome } from '../../src/apps/experiment/outcome';
import { rowOf } from '../../src/apps/experiment/rows';
import { experimentPage } from '../../src/apps/report/experiment-page';
import { HOSTILE } from './hostile-text';
import { DESKTOP, looks, watched } from './looks';
import { openBrowser } from './web-ui';

const spec = { generator: { action: 'draft' }, evaluator: { type: 'regex' as const, pattern: '.' } };
const arm = (name: string, kind: Arm['kind']): Arm => ({ name, kind, spec });

describe('the page of an experiment', () => {
  let browser: Browser;
  const folder = mkdtempSync(path.join(tmpdir(), 'experiment-'));
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('shows what can be said, and each case with hostile outputs as text', async () => {
    const problems: string[] = [];
    const requests: string[] = [];
    const page = watched(await browser.newPage({ viewport: DESKTOP }), { problems, requests });
    const outcome = (name: string, index: number): CaseOutcome => ({
      case: `case ${index}`,
      arm: name,
      passed: name === 'loop' || index % 3 === 0,
      score: name === 'loop' ? 1 : 0.4,
      output: `${HOSTILE} ${name}`,
      usage: { ...NO_USAGE, totalTokens: name === 'loop' ? 240 : 100, modelCalls: name === 'loop' ? 2 : 1 },
      ms: 900 + index,
      reason: name === 'loop' ? 'quality_met' : 'max_iterations',
      iterations: 1,
      workflowIds: [`experiment-${name}-${index}`],
    });
    const arms = [arm('loop', 'loop'), arm('single', 'single')];
    const outcomes = Array.from({ length: 40 }, (_, index) => arms.map(({ name }) => outcome(name, index))).flat();
    const compared = compareArms(arms, outcomes, 1);
    const file = path.join(folder, 'experiment.html');
    const report = {
      name: 'orders',
      arms: arms.map((one) => rowOf(one, outcomes, 1)),
      comparisons: compared,
      conclusions: compared.map(renderConclusion),
      cautions: listCautions(compared, true),
      outcomes,
    };
    writeFileSync(file, experimentPage(report, '2026-01-01T00:00:00.000Z'));
    const url = pathToFileURL(file).href;
    await page.goto(url);
    const text = await page.locator('body').innerText();
    expect(text).toContain('loop is better than single');
    expect(await page.locator('svg circle').count()).toBe(3);
    expect(await page.locator('details').count()).toBe(26);
    await page.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details[open] pre').first().innerText()).toContain('<img src=');
    expect(await page.locator('script, img, iframe, link, form, button, b').count()).toBe(0);
    await looks(page, 'experiment');
    expect(requests).toEqual([url]);
    expect(problems).toEqual([]);
  }, 60_000);
});
