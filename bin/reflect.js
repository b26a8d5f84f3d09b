#!/usr/bin/env node
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');

// In a checkout the sources run as they are, in this very process: ending it ends everything that it started, and
// `npx reflect` needs no build. An installed package has sources for reading only, and nothing that builds them.
if (existsSync(join(root, 'scripts', 'build.ts'))) {
  require('tsx/cjs/api').register();
  void require(join(root, 'src', 'apps', 'cli', 'index.ts')).main(process.argv);
} else {
  void require(join(root, 'dist', 'apps', 'cli', 'index.js')).main(process.argv);
}
