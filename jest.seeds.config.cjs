/** Tests that read the documents of the requirements, and fail where they are not at hand. They need no server. */
const { globalSetup: _setup, globalTeardown: _teardown, ...base } = require('./jest.config.cjs');

module.exports = { ...base, roots: ['<rootDir>/test/seeds'], testPathIgnorePatterns: ['/node_modules/'] };
