import * as fc from 'fast-check';
import { jsonBytes } from '../../../src/lib/json/json-bytes';
import { initialState } from '../../../src/loop/state/loop-state';
import { hasRoomForPage, KEPT_PAGE_BYTES, renderKeptPage } from '../../../src/loop/page/kept-page';
import { escapeMarkdown } from '../../../src/loop/page/markdown';
import { renderKeptRunPage, renderRunPage } from '../../../src/loop/page/run-page';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

test.each<[what: string, memo: unknown, expected: boolean]>([
  ['no memo', undefined, true],
  ['a small memo', { owner: 'accounting' }, true],
  ['a large memo', { notes: 'x'.repeat(512 * 1024) }, false],
  ['a memo whose owner’s payload converter gives what is no JSON', { id: 1n }, false],
])('%s: is there room for a page?', (_what, memo, expected) => {
  expect(hasRoomForPage(memo)).toBe(expected);
});

describe('the page that the server keeps', () => {
  test('is plain text: columns stand below each other, the widest one last', () => {
    const state = initialState(0);
    state.versions = [
      aVersion(1, anEvaluation('fail', 0.4, { issues: ['age: must be *an* integer | no_text', 'no name'] })),
      aVersion(2, anEvaluation('pass', 0.9)),
    ];
    state.bestIteration = 2;
    state.stopped = { reason: 'quality_met' };
    expect(renderKeptRunPage(state, DEFAULT_SETTINGS, 'done', { summary: 'ages · ≤3' })).toEqual([
      'Ended: quality_met after 2 versions · best: #2 with 0.90',
      '',
      'ages · ≤3',
      '',
      '#    score              checks   tokens  top issue',
      '1    fail 0.40          0 ✓ 1 ✗  0       age: must be *an* integer | no_text (+1)',
      '2 ★  pass 0.90 (+0.50)  1 ✓ 0 ✗  0',
      '',
      '0 tokens in 0 model calls',
    ]);
  });

  test('a long table loses its earliest rows, and says how many', () => {
    const state = initialState(0);
    const issues = ['x'.repeat(300)];
    state.versions = Array.from({ length: 30 }, (_, index) =>
      aVersion(index + 1, anEvaluation('fail', 0.5, { issues })),
    );
    const lines = renderKeptRunPage(state, DEFAULT_SETTINGS, 'done');
    const rows = lines.filter((line) => /^\d+ {2}/.test(line));
    expect(rows.at(-1)).toMatch(/^30 /);
    expect(rows.length).toBeGreaterThan(8);
    expect(lines).toContain(`… ${30 - rows.length} more`);
    expect(lines.findIndex((line) => line.startsWith('…'))).toBe(lines.findIndex((line) => line.startsWith('#')) + 1);
  });

  test('the page of a run that waits has the beginning of the text, unchanged, and the changes', () => {
    const state = initialState(0);
    state.versions = [
      aVersion(1, anEvaluation('fail', 0.4), 'one\n**two**\nthree'),
      aVersion(2, anEvaluation('pass', 0.9), 'one\n**two** `x`\n\nfour'),
    ];
    state.review = { iteration: 2, until: Date.UTC(2030, 0, 1) };
    const settings = {
      ...DEFAULT_SETTINGS,
      review: { when: 'every_iteration', timeoutMs: 1e9, onTimeout: 'stop' },
    } as const;
    const lines = renderKeptRunPage(state, settings, 'waiting');
    expect(lines.slice(lines.indexOf('The text of version 2:'))).toEqual([
      'The text of version 2:',
      'one',
      '**two** `x`',
      '',
      'four',
      '',
      'Changes since version 1:',
      '− **two**',
      '− three',
      '+ **two** `x`',
      '+ four',
    ]);
    expect(lines.join('\n')).toContain('It waits for you until 2030-01-01 00:00 UTC.');
    const page = renderRunPage(state, settings, 'waiting', { workflowId: 'a/b-1' });
    expect(page).toContain('**The text of version 2:**\n\n```\none\n**two** `x`\n\nfour\n```');
    expect(page).toContain('`npx reflect show a/b-1 --output`, or the query `history` with `{"from":2}`');
    expect(page).toContain('- + \\*\\*two\\*\\* \\`x\\`');
    expect(renderRunPage(state, settings, 'waiting', { workflowId: 'a`b $(x)' })).toContain(
      '`npx reflect show ID --output`',
    );
  });

  test('a text cannot end the block in which it stands', () => {
    const state = initialState(0);
    state.versions = [aVersion(1, anEvaluation('pass', 0.9), 'a\n```\n````js\n# Approved\n<img src=x>')];
    state.review = { iteration: 1, until: 0 };
    const lines = renderRunPage(state, DEFAULT_SETTINGS, 'waiting').split('\n');
    const fences = lines.filter((line) => line.startsWith('`````'));
    expect(fences).toEqual(['`````', '`````']);
    expect(lines.indexOf('# Approved')).toBeGreaterThan(lines.indexOf('`````'));
    expect(lines.indexOf('# Approved')).toBeLessThan(lines.lastIndexOf('`````'));
  });

  test('a long text is cut with a note about the missing part; a text of another run is referred to', () => {
    const state = initialState(0);
    const long = Array.from({ length: 100 }, (_, index) => `line ${index} ${'y'.repeat(500)}`).join('\n');
    state.versions = [aVersion(1, anEvaluation('pass', 0.9), long)];
    state.review = { iteration: 1, until: 0 };
    const page = renderRunPage(state, DEFAULT_SETTINGS, 'waiting');
    expect(page.length).toBeLessThan(4_500);
    expect(page).toMatch(/Not shown: 9\d more lines, \d+ characters in all\. The whole text:/);
    state.versions = [{ ...state.versions[0]!, output: null, omittedBytes: 5_000_000 }];
    expect(renderRunPage(state, DEFAULT_SETTINGS, 'waiting')).toContain('Not shown: all of it, 5000000 bytes.');
  });

  test('never takes more than 2 KiB, whatever a page and a text say', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.constant('|'.repeat(300)),
      fc.constant('"\\\n'.repeat(90)),
    );
    const line = text.map((one) => escapeMarkdown(one, 400));
    const paragraph = fc.oneof(
      line,
      fc.array(line, { maxLength: 60 }).map((lines) => lines.map((one) => `- ${one}`).join('\n')),
      fc
        .array(line, { maxLength: 40 })
        .map((cells) => ['| a | b |', '|:--|--:|', ...cells.map((cell) => `| 1 | ${cell} |`)].join('\n')),
    );
    fc.assert(
      fc.property(fc.array(paragraph, { maxLength: 30 }), fc.array(text, { maxLength: 30 }), (paragraphs, lines) => {
        const kept = renderKeptPage(paragraphs.join('\n\n'), lines);
        expect(jsonBytes(kept)).toBeLessThanOrEqual(KEPT_PAGE_BYTES);
        expect(jsonBytes({ ReflectionPage: kept }) + 'json/plain'.length + 40).toBeLessThan(2_048);
      }),
      { numRuns: 200 },
    );
  });
});
