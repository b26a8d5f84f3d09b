import { cpSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.join(__dirname, '..', '..');

/** Copies what the linter needs into a folder: its configuration, our rules, and the lists that these read. */
export function copyLintRules(folder: string): void {
  const files = [
    '.oxlintrc.json',
    'tsconfig.json',
    'scripts/lint-rules.mjs',
    'scripts/lint-places.mjs',
    'scripts/lint-state-writers.mjs',
    'testing/structure/areas.cjs',
    'testing/structure/language.cjs',
  ];
  for (const file of [...files, 'test/repository/language']) {
    cpSync(path.join(PROJECT, file), path.join(folder, file), { recursive: true });
  }
  symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
}
