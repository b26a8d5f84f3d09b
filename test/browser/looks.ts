import path from 'node:path';
import type { Page } from 'playwright-core';

const IMAGES = path.join(__dirname, '..', '..', 'docs', 'images');
const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1180, height: 900 };

/** Collects what goes wrong on a page, and the addresses that it asks for, of which some do not count. */
export function watched(
  page: Page,
  { problems, requests }: { problems: string[]; requests: string[] },
  counts: (url: string) => boolean = () => true,
): Page {
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => problems.push('a dialog')));
  page.on('request', (request) => {
    if (counts(request.url())) requests.push(request.url());
  });
  return page;
}

/**
 * Looks at a page as it is on a desktop and on a phone, light and dark; pictures of it in `PICTURES`, where that is set.
 *
 * @param kept pictures that the docs show, such as of `light-1180`, which are made anew with `UPDATE_SCREENSHOTS`
 */
export async function looks(page: Page, name: string, kept: Record<string, string> = {}): Promise<void> {
  const { PICTURES, UPDATE_SCREENSHOTS } = process.env;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [DESKTOP, PHONE]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      const color = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(color === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      const look = `${colorScheme}-${viewport.width}`;
      if (kept[look] !== undefined && UPDATE_SCREENSHOTS === '1') {
        await page.setViewportSize({ ...viewport, height: 1_360 });
        await page.screenshot({ path: path.join(IMAGES, kept[look]) });
      }
      if (PICTURES !== undefined)
        await page.screenshot({ path: path.join(PICTURES, `${name}-${look}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
}
