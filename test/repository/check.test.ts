import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const { isQuick } = require('../../testing/jest/quick-tests.cjs') as { isQuick(test: string): boolean };
const { relatedTests } = require('../../testing/jest/related-tests.cjs') as {
  relatedTests(changed: string[], otherCommands: RegExp): { test: string; quick: boolean; steps: number }[];
};

const TESTS = path.join(__dirname, '..');
const OTHER_COMMANDS = /\.long\.test\.ts$/;

test('every test of pure code is quick, and none that asks for the address of the server', () => {
  const all = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const files = all.map((file) => path.join(TESTS, file));
  const folders = ['loop', 'kinds/agents', 'kinds/batch', 'kinds/pipeline', 'kinds/plan'].map((each) =>
    path.join(TESTS, each),
  );
  // What a kind of run gives to the command line and to files is no pure code.
  const others = ['cli', 'client', 'file'].map((part) => `${path.sep}${part}${path.sep}`);
  const isPure = (file: string) =>
    folders.some((each) => file.startsWith(each + path.sep)) && !others.some((part) => file.includes(part));
  const pure = files.filter(isPure);
  expect(pure.length).toBeGreaterThan(50);
  expect(pure.filter((file) => !isQuick(file))).toEqual([]);
  const asking = files.filter((file) => /\btest(?:Address|Connection)\(/.test(readFileSync(file, 'utf8')));
  expect(asking.length).toBeGreaterThan(30);
  expect(asking.filter((file) => isQuick(file))).toEqual([]);
});

test('a change of the stop rules leads to their tests first, and to those of a page that names it', () => {
  const related = relatedTests(['src/loop/moves/stop-rules.ts'], OTHER_COMMANDS);
  const steps = related.map((each) => each.steps);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  const nearest = related.filter((each) => each.steps === 1).map((each) => path.relative(TESTS, each.test));
  expect(nearest).toContain(path.join('loop', 'moves', 'stop-rules.test.ts'));
  expect(related.some((each) => OTHER_COMMANDS.test(each.test))).toBe(false);
  const ofPage = relatedTests(['docs/decisions/README.md'], OTHER_COMMANDS);
  expect(ofPage.map((each) => path.relative(TESTS, each.test))).toContain(path.join('repository', 'decisions.test.ts'));
});
