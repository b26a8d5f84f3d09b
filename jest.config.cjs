const { availableParallelism } = require('node:os');
const { coverage } = require('./size.json');

/** swc's options stand here and not in a .swcrc, which Temporal's bundler would read too. */
const swcOptions = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

const common = {
  // Packages are loaded once for all files that a process runs, not once for each.
  testEnvironment: '<rootDir>/testing/jest/environment.ts',
  runtime: '<rootDir>/testing/jest/runtime.cjs',
  roots: ['<rootDir>/test'],
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions] },
  // The examples import the package by its name, as they do where it is installed.
  moduleNameMapper: {
    '^durable-reflection$': '<rootDir>/src/index.ts',
    '^durable-reflection/(worker|workflow|compat)$': '<rootDir>/src/$1.ts',
    '^durable-reflection/testing$': '<rootDir>/src/apps/testing/index.ts',
    '^durable-reflection/review$': '<rootDir>/src/apps/cli/review/index.ts',
  },
  setupFiles: process.argv.includes('--coverage') ? ['<rootDir>/test/repository/workflow-coverage/setup.ts'] : [],
};

/** One Temporal server for all test files of a run. */
const withServer = {
  globalSetup: '<rootDir>/testing/support/global-setup.ts',
  globalTeardown: '<rootDir>/testing/support/global-teardown.ts',
};

/**
 * What a file's name ends in before `.test.ts` says when the file is run. Every other ending is an ordinary test, so that a
 * misspelled one is not left out.
 */
const groups = {
  /**
   * Tests that take many seconds each, because processes or databases are started, killed, drained, upgraded or kept waiting in them. CI runs
   * them as a step of their own; `npm test` is for every change, and must not take six minutes.
   */
  long: withServer,
  /** Long tests of what a loaded processor changes: they stall, freeze and flood workers, and a neighbour's load would spoil what they measure. */
  alone: withServer,
  /** Whether the recorded histories catch mistakes in workflow code. Two minutes. */
  mutants: {},
  /** Every attack on the sandbox. `npm test` makes some of each class. */
  sandbox: {},
  /** Tests that read the documents of the requirements, and fail where they are not at hand. */
  seeds: withServer,
  /** Tests that look at the Web UI. They start a server of their own, with its pages. */
  browser: { setupFilesAfterEnv: ['<rootDir>/test/browser/longer-timeout.ts'] },
};

const config = {
  projects: [
    {
      ...common,
      ...withServer,
      displayName: 'test',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', `\\.(?:${Object.keys(groups).join('|')})\\.test\\.ts$`],
    },
    ...Object.entries(groups).map(([name, settings]) => ({
      ...common,
      ...settings,
      displayName: name,
      testMatch: [`**/*.${name}.test.ts`],
    })),
  ],
  // Jest knows a timeout of all projects only.
  testTimeout: 30_000,
  testSequencer: '<rootDir>/testing/jest/longest-first.cjs',
  // Tests wait a good part of their time. Jest would run one file at a time on two processors.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // A share of the machine's memory: each file's modules, native ones among them, stay in that of its process, and a new one loads all anew.
  workerIdleMemoryLimit: 0.1,
  collectCoverageFrom: ['src/**/*.ts'],
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'lcov'],
  /** Of each folder, as `size.json` has it: room is not bought with tests. */
  coverageThreshold: {
    // Of the entry points, which are in no folder.
    global: { lines: 79, branches: 83 },
    ...Object.fromEntries(
      Object.entries(coverage).map(([folder, [lines, branches]]) => [`./${folder}/`, { lines, branches }]),
    ),
  },
};

module.exports = config;
/** For the loader that counts what workflow code runs. Hidden from jest, which warns about options that it does not know. */
Object.defineProperty(module.exports, 'swcOptions', { value: swcOptions, enumerable: false });
