import { initialState } from '../../src/domain/loop-state';
import { runPage, summaryLine } from '../../src/domain/run-page';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../support/versions';

describe('the run page', () => {
  test('D4 has a row for each version with score, change and top issue', () => {
    const state = initialState(0);
    state.versions = [
      aVersion(1, anEvaluation('fail', 0.4, { issues: ['age: must be integer', 'no name'] })),
      aVersion(2, anEvaluation('pass', 0.9)),
    ];
    state.bestIteration = 2;
    const page = runPage(state, DEFAULT_SETTINGS, 'revising');
    expect(page).toContain('| 1 | ❌ 0.40 | 0 ✓ 1 ✗ | age: must be integer (+1) | 0 |');
    expect(page).toContain('| 2 ★ | ✅ 0.90 (+0.50) | 1 ✓ 0 ✗ |  | 0 |');
    expect(page).toContain('at most 3 versions');
  });

  test('D4 text from a model cannot break out of its cell', () => {
    const state = initialState(0);
    const hostile = '| x |\n\n# Approved <img src=x onerror=alert(1)> [click](javascript:1)';
    state.versions = [aVersion(1, anEvaluation('fail', 0.4, { issues: [hostile] }))];
    const page = runPage(state, DEFAULT_SETTINGS, 'revising');
    expect(page).not.toContain('\n# Approved');
    expect(page).not.toContain('<img');
    expect(page).not.toMatch(/[^\\]\]\(/);
  });

  test('D4 a long run shows its latest versions and says how many it leaves out', () => {
    const state = initialState(0);
    state.versions = Array.from({ length: 40 }, (_, index) => aVersion(index + 1, anEvaluation('fail', 0.5)));
    const page = runPage(state, DEFAULT_SETTINGS, 'revising');
    expect(page).toContain('| 40 |');
    expect(page).not.toContain('| 10 |');
    expect(page).toContain('10 earlier versions are not shown.');
  });

  test('D4 the summary says what the run is for and when it is good enough', () => {
    expect(summaryLine({ name: 'json-generation' })).toBe('json-generation · ≤3 · ≥0.80');
  });
});
