/** Writes the pages of the reference. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { referencePages } from '../testing/build/reference/pages';

const FOLDER = path.join(__dirname, '..', 'docs', 'reference');

void referencePages().then((pages) => {
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, text] of Object.entries(pages)) writeFileSync(path.join(FOLDER, file), text);
});
