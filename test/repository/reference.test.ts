import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fieldsPage } from '../../testing/build/fields-page';

describe('docs/reference/fields.md', () => {
  const page = fieldsPage();

  test('is what `npm run docs:reference` makes of the contract', () => {
    expect(readFileSync(path.join(__dirname, '../../docs/reference/fields.md'), 'utf8')).toBe(page);
  });

  test('has a field with its type, default and description, in objects and lists, too', () => {
    expect(page).toContain('| `qualityThreshold` | number, 0 to 1 | `0.8` |');
    expect(page).toContain('| `timeouts.modelCall` | duration: milliseconds, or a text such as `2m` | `"2m"` |');
    expect(page).toContain('| `generator` | [Step](#step) | required |');
    expect(page).toContain('| `history.people[].name` |');
    expect(page).toContain('| `usd` | number above 0, at most 1000000 |');
  });

  test('links to its own sections only, and leaves no field without a description but constants', () => {
    const anchors = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title!.toLowerCase().replace(/[^\w]+/g, '-'));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
    const bare = page.split('\n').filter((line) => line.startsWith('| `') && line.endsWith('|  |'));
    expect(bare.filter((line) => !/^\| `[\w.[\]]*(?:type|evaluator)` \| `"\w+"` \|/.test(line))).toEqual([]);
  });
});
