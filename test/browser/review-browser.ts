import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { ReflectCommand } from '../cli/reflect-command';

const DOCS = path.join(__dirname, '..', '..', 'docs');
const IMAGES = path.join(DOCS, 'images');
const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1180, height: 900 };

/** Starts the example of the docs, and reads the link that it prints. */
export async function startReview(address: string): Promise<{ command: ReflectCommand; link: string }> {
  const [, example = ''] = /^npx reflect (review\b.*)$/m.exec(readFileSync(path.join(DOCS, 'review.md'), 'utf8'))!;
  const command = new ReflectCommand([...example.split(' '), '--address', address]);
  await command.says(/\?token=\S+\s/);
  const [link = ''] = /http:\S+token=\S+/.exec(command.stdout)!;
  return { command, link };
}

/** Collects what goes wrong on a page, and what it asks of other places than its own. */
export function watched(page: Page, { problems, elsewhere }: { problems: string[]; elsewhere: string[] }): Page {
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => problems.push('a dialog')));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') elsewhere.push(request.url());
  });
  return page;
}

/** Looks at the page as it is on a desktop and on a phone, light and dark; with `UPDATE_SCREENSHOTS`, keeps those that the docs show. */
export async function looks(page: Page, kept: Record<string, string> = {}): Promise<void> {
  const { PICTURES, UPDATE_SCREENSHOTS } = process.env;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [DESKTOP, PHONE]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      const color = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(color === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      const name = kept[`${colorScheme}-${viewport.width}`];
      if (name !== undefined && UPDATE_SCREENSHOTS === '1') {
        await page.setViewportSize({ ...viewport, height: 1_360 });
        await page.screenshot({ path: path.join(IMAGES, name) });
      }
      const file = `${await page.title()}-${colorScheme}-${viewport.width}.png`.replace(/[^\w.-]+/g, '-').slice(-80);
      if (PICTURES !== undefined) await page.screenshot({ path: path.join(PICTURES, file) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
}
