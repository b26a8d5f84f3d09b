/**
 * A webpack loader that puts counters into workflow code. The file goes through the same transformer and the same plugin, with
 * the same options, as when jest itself loads it: only then do both count the same things.
 */
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
// These two come with jest.
const { transformSync } = require('@babel/core');
const { default: istanbul } = require('babel-plugin-istanbul');
const { createTransformer } = require('@swc/jest');
const { swcOptions } = require('../../../jest.config.cjs');

const PROJECT = path.join(__dirname, '..', '..', '..');
const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json;(?:charset=[^;,]+;)?base64,(.+)\s*$/;

function withCounters(file) {
  const compiled = createTransformer(swcOptions).process(readFileSync(file, 'utf8'), file, {
    config: { rootDir: PROJECT },
  });
  const map = compiled.map ?? JSON.parse(Buffer.from(INLINE_MAP.exec(compiled.code)[1], 'base64').toString());
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
          useInlineSourceMaps: false,
        },
      ],
    ],
    sourceMaps: false,
  });
  // The plugin looks for the global object with `new Function`, which the sandbox does not allow.
  return code.replace(/new Function\("return this"\)\(\)/g, 'globalThis');
}

/** Transforms each file once in a run of the tests. Most of the time of a bundle with counters is this. */
module.exports = function countRuns() {
  const file = this.resourcePath;
  const folder = process.env.REFLECT_TEST_RUN_FOLDER;
  if (folder === undefined) return withCounters(file);
  const kept = path.join(folder, `counted-${createHash('sha256').update(file).digest('hex')}.js`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const code = withCounters(file);
  // Other processes may look at the same moment: the file is whole, or it is not there.
  writeFileSync(`${kept}.${process.pid}`, code);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
};
