/** Long tests of what a loaded processor changes: they stall, freeze and flood workers, and a neighbour's load would spoil what they measure. */
const base = require('./jest.config.cjs');
const { alone } = require('./long-tests.json');

module.exports = {
  ...base,
  testMatch: alone.map((file) => `<rootDir>/${file}`),
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
