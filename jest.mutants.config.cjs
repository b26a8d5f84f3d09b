/** Whether the recorded histories catch mistakes in workflow code. Needs no server, and two minutes. */
const { globalSetup: _setup, globalTeardown: _teardown, ...base } = require('./jest.config.cjs');

module.exports = { ...base, roots: ['<rootDir>/test/mutants'], testPathIgnorePatterns: ['/node_modules/'] };
