import { stripVTControlCharacters } from 'node:util';
import { experimentText } from '../../../src/apps/cli/experiment/experiment';
import type { ArmRow } from '../../../src/apps/experiment/rows';
import { experimentPage } from '../../../src/apps/report/experiment-page';

function arm(kind: ArmRow['kind'], passedAt: Record<string, number>): ArmRow {
  const count = Object.values(passedAt).reduce((sum, each) => sum + each, 0);
  const passed = { count, of: 2, low: 0, high: 1 } as ArmRow['passed'];
  return { arm: `${kind}-${count}`, kind, cases: 2, failed: 0, passed, reasons: { max_iterations: 2 }, passedAt };
}

test('an arm says with which version or sample its cases passed, or that none did', () => {
  const arms = [arm('loop', {}), arm('loop', { 2: 1 }), arm('best-of-n', { 1: 2 })];
  const report = { name: 'letters', arms, comparisons: [], conclusions: [], cautions: [], outcomes: [] };
  const text = stripVTControlCharacters(experimentText(report));
  expect(text).toMatch(/^loop-0: ended by max_iterations 2×; none passed$/m);
  expect(text).toMatch(/^loop-1: .*; passed with version #2 1×$/m);
  expect(text).toMatch(/^best-of-n-2: .*; passed with sample #1 2×$/m);
  const page = experimentPage(report as never, '2026-01-01T00:00:00.000Z');
  expect(page).toContain('version #2 1×');
  expect(page).not.toMatch(/version –/);
});
