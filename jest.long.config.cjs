/**
 * Tests that take many seconds each, because processes or databases are started, killed, drained, upgraded or kept waiting in them. CI runs them as a
 * step of their own; `npm test` is for every change, and must not take six minutes.
 */
const base = require('./jest.config.cjs');
const { sideBySide } = require('./long-tests.json');

module.exports = {
  ...base,
  testMatch: sideBySide.map((file) => `<rootDir>/${file}`),
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
};
