import path from 'node:path';
import type { Page } from 'playwright-core';

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1180, height: 900 };

/** Looks at a page as it is on a desktop and on a phone, light and dark; pictures of it in `PICTURES`, where that is set. */
export async function looks(page: Page, name: string): Promise<void> {
  const { PICTURES } = process.env;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [DESKTOP, PHONE]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      const color = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(color === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      const file = `${name}-${colorScheme}-${viewport.width}.png`;
      if (PICTURES !== undefined) await page.screenshot({ path: path.join(PICTURES, file), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
}
