import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(__dirname, '..', '..', 'docs', 'decisions');
const read = (page: string) => readFileSync(path.join(FOLDER, page), 'utf8');
const pages = readdirSync(FOLDER).filter((file) => file !== 'README.md');

const HEAD =
  /^# [^\n]+\n\n- \*\*Date\*\*: (\d{4}-\d\d-\d\d)\n- \*\*Status\*\*: (accepted|replaced by \[([\w-]+)\]\(\3\.md\))\n\n## Context\n/;

/** What is wrong with the form of a page. `others` are the pages that may replace it. */
function mistakesIn(text: string, others: readonly string[]): string[] {
  const head = HEAD.exec(text);
  const sections = [...text.matchAll(/^(#{1,2}) (.+)$/gm)].flatMap(([, marks, title]) =>
    marks === '##' ? [title!] : [],
  );
  const bodies = text.split(/^## .+$/m).slice(1);
  const by = head?.[3];
  return [
    ...(head ? [] : ['begins otherwise than with title, date, status and context']),
    ...(head && Number.isNaN(Date.parse(head[1]!)) ? ['its date is no day'] : []),
    ...(by !== undefined && !others.includes(`${by}.md`) ? [`${by} is no decision`] : []),
    ...(sections.join() === 'Context,Choice,Consequences' ? [] : [`its sections are ${sections.join(', ')}`]),
    ...(bodies.every((body) => body.trim()) ? [] : ['a section is empty']),
  ];
}

describe('decisions', () => {
  test.each(pages)('%s has the form of a decision', (page) => {
    expect(page).toMatch(/^[a-z][a-z-]*\.md$/);
    expect(mistakesIn(read(page), pages)).toEqual([]);
  });

  const page =
    '# Title\n\n- **Date**: 2026-11-21\n- **Status**: accepted\n\n## Context\n\na\n\n## Choice\n\nb\n\n## Consequences\n\nc\n';
  test.each([
    ['nothing', page, []],
    ['nothing, when it is replaced', page.replace('accepted', 'replaced by [memory](memory.md)'), []],
    ['a replacement that is not there', page.replace('accepted', 'replaced by [x](x.md)'), ['x is no decision']],
    [
      'another status',
      page.replace('accepted', 'perhaps'),
      ['begins otherwise than with title, date, status and context'],
    ],
    ['an impossible day', page.replace('11-21', '13-41'), ['its date is no day']],
    ['a missing section', page.replace('## Choice\n\n', ''), ['its sections are Context, Consequences']],
    ['an empty section', page.replace('\n\nb\n', '\n'), ['a section is empty']],
  ])('is told of %s', (_case, text, mistakes) => {
    expect(mistakesIn(text, pages)).toEqual(mistakes);
  });

  test('are each listed once', () => {
    const listed = [...read('README.md').matchAll(/^\| \[([\w-]+)\]\(([\w-]+\.md)\)/gm)];
    expect(listed.map(([, , file]) => file!).toSorted()).toEqual(pages.toSorted());
    for (const [, name, file] of listed) expect(file).toBe(`${name}.md`);
  });
});
