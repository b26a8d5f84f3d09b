import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const { isQuick } = require('../../testing/jest/quick-tests.cjs') as { isQuick(test: string): boolean };
const { relatedTests } = require('../../testing/jest/related-tests.cjs') as {
  relatedTests(changed: string[], otherCommands: RegExp): { test: string; quick: boolean; steps: number }[];
};

const TESTS = path.join(__dirname, '..');
const OTHER_COMMANDS = /\.long\.test\.ts$/;

test('every test of the domain is quick, and none that asks for the address of the server', () => {
  const all = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const files = all.map((file) => path.join(TESTS, file));
  const inDomain = files.filter((file) => file.includes(`${path.sep}domain${path.sep}`));
  expect(inDomain.length).toBeGreaterThan(50);
  expect(inDomain.filter((file) => !isQuick(file))).toEqual([]);
  const asking = files.filter((file) => /\btest(?:Address|Connection)\(/.test(readFileSync(file, 'utf8')));
  expect(asking.length).toBeGreaterThan(30);
  expect(asking.filter((file) => isQuick(file))).toEqual([]);
});

test('a change of the stop rules leads to their tests first, and to those of a page that names it', () => {
  const related = relatedTests(['src/domain/loop/stop-rules.ts'], OTHER_COMMANDS);
  const steps = related.map((each) => each.steps);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  const nearest = related.filter((each) => each.steps === 1).map((each) => path.relative(TESTS, each.test));
  expect(nearest).toContain(path.join('domain', 'loop', 'stop-rules.test.ts'));
  expect(related.some((each) => OTHER_COMMANDS.test(each.test))).toBe(false);
  const ofPage = relatedTests(['docs/decisions/README.md'], OTHER_COMMANDS);
  expect(ofPage.map((each) => path.relative(TESTS, each.test))).toContain(path.join('repository', 'decisions.test.ts'));
});
