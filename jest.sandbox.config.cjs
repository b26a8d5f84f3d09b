/** Every attack on the sandbox. `npm test` makes some of each class. Needs no server. */
const { globalSetup: _setup, globalTeardown: _teardown, ...base } = require('./jest.config.cjs');

module.exports = { ...base, roots: ['<rootDir>/test/escapes'], testPathIgnorePatterns: ['/node_modules/'] };
