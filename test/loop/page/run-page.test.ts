import { peopleText } from '../../../src/apps/cli/show/show-loop';
import type { Json } from '../../../src/lib/json/json';
import type { PersonEntry } from '../../../src/loop/contract/results';
import { initialState } from '../../../src/loop/state/loop-state';
import { renderKeptRunPage, renderRunPage, renderSummaryLine } from '../../../src/loop/page/run-page';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

describe('the run page', () => {
  test('has a row for each version with score, change and top issue', () => {
    const state = initialState(0);
    state.versions = [
      aVersion(1, anEvaluation('fail', 0.4, { issues: ['age: must be integer', 'no name'] })),
      aVersion(2, anEvaluation('pass', 0.9)),
    ];
    state.bestIteration = 2;
    const page = renderRunPage(state, DEFAULT_SETTINGS, 'revising');
    expect(page).toContain('| 1 | ❌ 0.40 | 0 ✓ 1 ✗ | age: must be integer (+1) | 0 |');
    expect(page).toContain('| 2 ★ | ✅ 0.90 (+0.50) | 1 ✓ 0 ✗ |  | 0 |');
    expect(page).toContain('at most 3 versions');
  });

  test('text from a model cannot break out of its cell', () => {
    const state = initialState(0);
    const hostile = '| x |\n\n# Approved <img src=x onerror=alert(1)> [click](javascript:1)';
    state.versions = [aVersion(1, anEvaluation('fail', 0.4, { issues: [hostile] }))];
    const page = renderRunPage(state, DEFAULT_SETTINGS, 'revising');
    expect(page).not.toContain('\n# Approved');
    expect(page).not.toContain('<img');
    expect(page).not.toMatch(/[^\\]\]\(/);
  });

  test('lists the latest calls of the latest version, with the beginnings of their results', () => {
    const state = initialState(0);
    const call = (id: number) =>
      ({
        name: 'orders.find',
        arguments: { id },
        result: `order\n\n# ${id} <b>`,
        outcome: 'ok',
        source: 'recorded',
      }) as const;
    const calls = Array.from({ length: 9 }, (_, id) => call(id));
    state.versions = [{ ...aVersion(1, anEvaluation('fail', 0.4)), calls }];
    const page = renderRunPage(state, DEFAULT_SETTINGS, 'revising');
    expect(page).toContain('Calls of version 1, the latest 6 of 9:');
    expect(page.replaceAll('\\', '')).toContain('- ✓ orders.find {"id":8} → order # 8 &lt;b&gt;');
    expect(page.replaceAll('\\', '')).not.toContain('{"id":2}');
    expect(page).not.toContain('\n# 8');
  });

  test('a long run shows its latest versions and says how many it leaves out', () => {
    const state = initialState(0);
    state.versions = Array.from({ length: 40 }, (_, index) => aVersion(index + 1, anEvaluation('fail', 0.5)));
    const page = renderRunPage(state, DEFAULT_SETTINGS, 'revising');
    expect(page).toContain('| 40 |');
    expect(page).not.toContain('| 10 |');
    expect(page).toContain('10 earlier versions are not shown.');
  });

  test('lists the commands of users, with their texts and effects', () => {
    const state = initialState(0);
    const at = '2026-01-01T00:00:00.000Z';
    const entry = (name: string, payload: Json, why?: string): PersonEntry => ({
      name,
      payload,
      by: 'Ada',
      at,
      via: 'signal',
      applied: why === undefined,
      ...(why === undefined ? {} : { why }),
    });
    state.people = [
      entry('guide', { text: 'Name *the* source.' }, 'the run ended before another revision'),
      entry('accept', { iteration: 9 }, 'there is no iteration 9 yet'),
      entry('abort', { reason: 'wrong customer' }),
    ];
    state.versions = [aVersion(1, anEvaluation('fail', 0.4))];
    state.stopped = { reason: 'max_iterations', unanswered: true };
    const lines = renderRunPage(state, DEFAULT_SETTINGS, 'done').split('\n');
    expect(lines[0]).toBe('**Ended: max_iterations after 1 version**');
    expect(lines).toContain('Nobody answered the review in time, so the run fails.');
    expect(lines.filter((line) => line.startsWith(`- ${at}`))).toEqual([
      `- ${at} \`guide\` by Ada (signal) without effect: the run ended before another revision, “Name \\*the\\* source.”`,
      `- ${at} \`accept\` by Ada (signal) refused: there is no iteration 9 yet`,
      `- ${at} \`abort\` by Ada (signal) received, “wrong customer”`,
    ]);
    expect(peopleText(state.people).slice(0, 3)).toEqual([
      '',
      'What people sent:',
      `  ${at}  guide by Ada (signal) without effect: the run ended before another revision, "Name *the* source."`,
    ]);
    expect(peopleText(Array.from({ length: 12 }, () => entry('reflect', {})))[2]).toBe('  (2 earlier)');
    expect(peopleText([])).toEqual([]);
  });

  test('a score just below the threshold does not look equal to it, on both pages', () => {
    const state = initialState(0);
    state.versions = [aVersion(1, anEvaluation('fail', 0.7966))];
    state.bestIteration = 1;
    state.stopped = { reason: 'max_iterations' };
    const summary = renderSummaryLine({});
    const settings = { ...DEFAULT_SETTINGS, qualityThreshold: 0.8 };
    const pages = [
      renderRunPage(state, settings, 'done', { summary }),
      renderKeptRunPage(state, settings, 'done', { summary }).join('\n'),
    ];
    for (const page of pages) {
      expect(page).toContain('best: #1 with 0.797');
      expect(page).toContain('≥0.8\n');
      expect(page).not.toContain('0.80');
    }
  });

  test('the summary says what the run is for and when it is good enough', () => {
    expect(renderSummaryLine({ name: 'json-generation' })).toBe('json-generation · ≤3 · ≥0.80');
  });

  test.each([null, '0.9', true, {}])('it takes the defaults where a template gave %p', (value) => {
    const given = { name: value === '0.9' ? 'n' : value, maxIterations: value, qualityThreshold: value };
    expect(renderSummaryLine(given)).toBe(`${value === '0.9' ? 'n' : 'reflection'} · ≤3 · ≥0.80`);
  });
});
