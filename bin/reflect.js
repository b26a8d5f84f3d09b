#!/usr/bin/env node
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const source = join(root, 'src', 'cli.ts');

// In a checkout the sources run as they are, in this very process: ending it ends everything that it started, and
// `npx reflect` needs no build. An installed package has no sources.
if (existsSync(source)) {
  require('tsx/cjs/api').register();
  void require(source).main(process.argv);
} else {
  void require(join(root, 'dist', 'cli.js')).main(process.argv);
}
