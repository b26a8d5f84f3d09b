const { availableParallelism } = require('node:os');
const { sideBySide, alone } = require('./long-tests.json');

/** swc's options stand here and not in a .swcrc, which Temporal's bundler would read too. */
const swcOptions = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

const config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions] },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFiles: [
    '<rootDir>/test/support/share-bundles-setup.ts',
    ...(process.argv.includes('--coverage') ? ['<rootDir>/test/house/workflow-coverage/setup.ts'] : []),
  ],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/escapes/',
    '<rootDir>/test/mutants/',
    '<rootDir>/test/seeds/',
    ...[...sideBySide, ...alone].map((file) => `<rootDir>/${file}$`),
  ],
  testTimeout: 30_000,
  // Tests wait a good part of their time. Jest would run one file at a time on two processors.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // Each file's modules, native ones among them, stay in the memory of its process.
  workerIdleMemoryLimit: '1GB',
  collectCoverageFrom: ['src/**/*.ts'],
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'lcov'],
  coverageThreshold: { global: { lines: 90, branches: 85 } },
};

module.exports = config;
/** For the loader that counts what workflow code runs. Hidden from jest, which warns about options that it does not know. */
Object.defineProperty(module.exports, 'swcOptions', { value: swcOptions, enumerable: false });
