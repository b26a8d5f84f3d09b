/** The ordinary tests that need no server: `npm run test:quick`, and `npm run test:watch`, which follows imports from what changed. */
const { projects, ...common } = require('./jest.config.cjs');

const { globalSetup: _server, globalTeardown: _end, ...ordinary } = projects[0];

module.exports = {
  ...common,
  projects: [{ ...ordinary, displayName: 'quick', roots: ['<rootDir>/test', '<rootDir>/testing', '<rootDir>/src'] }],
  filter: '<rootDir>/testing/jest/quick-tests.cjs',
};
