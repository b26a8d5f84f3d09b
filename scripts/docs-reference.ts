/** Writes the reference page of all fields. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fieldsPage } from '../testing/build/fields-page';

const PAGE = path.join(__dirname, '..', 'docs', 'reference', 'fields.md');

mkdirSync(path.dirname(PAGE), { recursive: true });
writeFileSync(PAGE, fieldsPage());
