/** Tests that look at the Web UI. They start a server of their own, with its pages. */
const { globalSetup: _setup, globalTeardown: _teardown, ...base } = require('./jest.config.cjs');

module.exports = {
  ...base,
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};
