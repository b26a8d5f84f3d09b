/**
 * Makes dependencies of what this package leaves to its users to install: an image has no user who would. The ranges are
 * those that are installed here. Changes `package.json` of the current folder; `npm prune --omit=dev` then keeps them.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { peerDependencies = {}, devDependencies = {} } = manifest;
for (const [name, range] of Object.entries(peerDependencies)) {
  manifest.dependencies[name] = devDependencies[name] ?? range;
  delete devDependencies[name];
}
delete manifest.peerDependencies;
delete manifest.peerDependenciesMeta;
writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
