import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { siteName, sitePages } from '../../testing/build/site-pages';
import { openBrowser } from './web-ui';

const PROJECT = path.join(__dirname, '..', '..');
const SITE = path.join(PROJECT, 'docs', 'site', 'dist');
/** A small phone. */
const PHONE = { width: 360, height: 740 };
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves the files of the site as they are. */
function serveSite(): Server {
  return createServer(({ url = '/' }, response) => {
    const file = path.join(SITE, new URL(url, 'http://site').pathname);
    try {
      response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
      response.end(readFileSync(file));
    } catch {
      response.writeHead(404).end();
    }
  });
}

describe('the site of the documentation', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', 'docs:site'], { cwd: PROJECT, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The site was not built:\n${stdout}${stderr}`);
    server = serveSite();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await openBrowser();
    page = await browser.newPage({ viewport: PHONE });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 400 && !response.url().endsWith('favicon.ico'))
        problems.push(`${response.status()} ${response.url()}`);
    });
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('has every page, and none is wider than a phone', async () => {
    const { port } = server.address() as AddressInfo;
    const wide: string[] = [];
    const pages = sitePages().map((each) => siteName(each).replace(/\.md$/, '.html'));
    expect(pages).toContain('docs/start.html');
    for (const each of pages) {
      await page.goto(`http://127.0.0.1:${port}/${each}`, { waitUntil: 'load' });
      await page.locator('main h1').first().waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (width !== PHONE.width) wide.push(`${each}: ${String(width)}`);
    }
    expect(wide).toEqual([]);
    expect(problems).toEqual([]);
  }, 300_000);

  test('has the order of reading at the side', async () => {
    const { port } = server.address() as AddressInfo;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`http://127.0.0.1:${port}/docs/start.html`);
    const links = await page.locator('.VPSidebar .link').allInnerTexts();
    expect(links.slice(0, 4)).toEqual(['Ten-minute start', 'Installing', 'Concepts', 'Evaluators']);
  });
});
