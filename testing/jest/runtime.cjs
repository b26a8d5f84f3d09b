/**
 * Loads packages once for all test files that a process runs, as Node loads them; jest alone loads them for each file anew.
 * The code of this repository is still loaded for each file, and so is a package that the file mocks.
 */
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { newCoverage } = require('./new-coverage.cjs');

/** The parameters of the function that jest makes of a module. */
const PARAMETERS = ['module', 'exports', 'require', '__dirname', '__filename', 'jest'];

/** What V8 made of a module for the file before, with the source that it made it of. */
const compiled = new Map();

/** Compiles a module in the scope of the process: see environment.ts. */
function compile(source, filename) {
  const known = compiled.get(filename);
  if (known?.source === source) return vm.compileFunction(source, PARAMETERS, { filename, cachedData: known.data });
  const made = vm.compileFunction(source, PARAMETERS, { filename, produceCachedData: true });
  compiled.set(filename, { source, data: made.cachedData });
  return made;
}

class PackagesOnce extends Runtime {
  #mocked = new Set();
  #mapped;

  constructor(config, ...others) {
    super(config, ...others);
    this.#mapped = config.moduleNameMapper.map(([pattern]) => new RegExp(pattern));
    if (this.executor?.compile === undefined) throw new Error('jest-runtime compiles modules in another place now');
    this.executor.compile = compile;
  }

  setMock(from, name, ...others) {
    this.#mocked.add(name);
    return super.setMock(from, name, ...others);
  }

  requireModuleOrMock(from, name) {
    return this.#isShared(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }

  /** No copy: each test file has counters of its own. */
  getAllCoverageInfoCopy() {
    return newCoverage(globalThis.__coverage__);
  }

  #isShared(name) {
    if (name.startsWith('.') || path.isAbsolute(name) || isBuiltin(name) || name.startsWith('@jest/')) return false;
    return !this.#mocked.has(name) && !this.#mapped.some((pattern) => pattern.test(name));
  }
}

module.exports = PackagesOnce;
