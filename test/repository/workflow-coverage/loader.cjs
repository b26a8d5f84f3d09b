/**
 * A webpack loader that puts counters into workflow code. The file goes through the same transformer and the same plugin, with
 * the same options, as when jest itself loads it: only then do both count the same things.
 */
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
// These two come with jest.
const { transformSync } = require('@babel/core');
const { default: istanbul } = require('babel-plugin-istanbul');
const { createTransformer } = require('@swc/jest');
const { swcOptions } = require('../../../jest.config.cjs');

const PROJECT = path.join(__dirname, '..', '..', '..');
const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json;(?:charset=[^;,]+;)?base64,(.+)\s*$/;

/** What the counters of a file say of their places in it. Workflow code would make megabytes of it anew for each workflow. */
const PLACES = ['statementMap', 'fnMap', 'branchMap', 'inputSourceMap'];

/** A plugin that takes the places out of the object with counters, which the other plugin puts at the end of a file. */
const withoutPlaces = {
  visitor: {
    Program: {
      exit(program) {
        program.traverse({
          VariableDeclarator({ node: { id, init } }) {
            if (id.name !== 'coverageData') return;
            init.properties = init.properties.filter(({ key }) => !PLACES.includes(key.name ?? key.value));
          },
        });
      },
    },
  },
};

/** @returns the code with counters, and these with their places, as they are before anything ran */
function withCounters(file) {
  const compiled = createTransformer(swcOptions).process(readFileSync(file, 'utf8'), file, {
    config: { rootDir: PROJECT },
  });
  const map = compiled.map ?? JSON.parse(Buffer.from(INLINE_MAP.exec(compiled.code)[1], 'base64').toString());
  let counters;
  const { code } = transformSync(compiled.code, {
    auxiliaryCommentBefore: ' istanbul ignore next ',
    babelrc: false,
    caller: { name: '@jest/transform' },
    configFile: false,
    filename: file,
    plugins: [
      [
        istanbul,
        {
          compact: false,
          cwd: PROJECT,
          exclude: [],
          extension: false,
          inputSourceMap: map,
          onCover: (_path, coverage) => {
            counters = coverage;
          },
          useInlineSourceMaps: false,
        },
      ],
      withoutPlaces,
    ],
    sourceMaps: false,
  });
  // The plugin has taken it out of the counters again, and jest's are compared by it.
  const [, hash] = /\bhash = "([0-9a-f]+)"/.exec(code);
  // The plugin looks for the global object with `new Function`, which the sandbox does not allow.
  return {
    code: code.replace(/new Function\("return this"\)\(\)/g, 'globalThis'),
    counters: JSON.stringify({ ...counters, hash }),
  };
}

/** Writes a file at once: other processes may look at the same moment. */
function writeWhole(file, text) {
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

/**
 * Transforms each file once in a run of the tests. Most of the time of a bundle with counters is this. The option `folder` says
 * where the code is kept, and beside it, as JSON, its counters with their places.
 */
module.exports = function countRuns() {
  const file = this.resourcePath;
  const kept = path.join(this.getOptions().folder, path.relative(PROJECT, file));
  if (existsSync(`${kept}.js`)) return readFileSync(`${kept}.js`, 'utf8');
  const { code, counters } = withCounters(file);
  mkdirSync(path.dirname(kept), { recursive: true });
  writeWhole(`${kept}.json`, counters);
  writeWhole(`${kept}.js`, code);
  return code;
};
