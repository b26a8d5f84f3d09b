import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunTab, tabLink } from '../../src/apps/cli/support/web-ui';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const QUIET = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium of this machine. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`There is no Chromium at ${CHROMIUM}. CHROMIUM_PATH says where it is.`);
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
}

/** The address of the page that shows what a run says of itself. */
export function runPageUrl(uiUrl: string, run: { workflowId: string; runId: string }): string {
  return runTabUrl(uiUrl, run, 'user-metadata');
}

/** The address of one of the tabs of a run. */
export function runTabUrl(uiUrl: string, run: { workflowId: string; runId: string }, tab: RunTab): string {
  return tabLink({ address: '', namespace: 'default' }, run, tab, uiUrl)!;
}

/** Waits for the frame that shows something: the Web UI renders Markdown inside iframes. */
export async function frameWith(page: Page, selector: string, timeout = 30_000): Promise<Frame> {
  const deadline = performance.now() + timeout;
  while (performance.now() < deadline) {
    for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
      // A frame may go away while it is asked.
      if (
        (await frame
          .locator(selector)
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    await sleep(100);
  }
  throw new Error(`No frame of ${page.url()} shows ${selector} after ${timeout / 1000} s:\n${await page.content()}`);
}

/** The cells of the first table in a frame, row by row, the head included. */
export async function tableIn(frame: Frame): Promise<string[][]> {
  const rows = await frame.locator('table').first().locator('tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('th, td').allInnerTexts()).map((text) => text.trim())));
}
