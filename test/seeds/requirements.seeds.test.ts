import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readTable } from '../../testing/requirements/table';
import { SEEDS } from './fences';

test('the table of requirements has the ids of the document, and no others', () => {
  const document = readFileSync(path.join(SEEDS, '..', 'requirements.md'), 'utf8');
  const ids = [...document.matchAll(/^\| ([PTLGD]\d{1,2}) \|/gm)].map(([, id]) => id!);
  expect(ids).not.toEqual([]);
  expect(Object.keys(readTable()).toSorted()).toEqual(ids.toSorted());
});
