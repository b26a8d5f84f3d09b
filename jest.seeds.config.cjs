/** Tests that read the documents of the requirements, and fail where they are not at hand. */
const base = require('./jest.config.cjs');

module.exports = { ...base, roots: ['<rootDir>/test/seeds'], testPathIgnorePatterns: ['/node_modules/'] };
