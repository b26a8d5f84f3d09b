/** swc's options stand here and not in a .swcrc, which Temporal's bundler would read too. */
const swc = [
  '@swc/jest',
  {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.ts$': swc },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/', '<rootDir>/test/seeds/'],
  testTimeout: 30_000,
  // Workflow code runs in Temporal's sandbox, out of a bundle, where jest cannot count what was run.
  collectCoverageFrom: ['src/**/*.ts', '!src/workflows/**'],
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'lcov'],
  coverageThreshold: { global: { lines: 90, branches: 85 } },
};
