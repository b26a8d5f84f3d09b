import { readdirSync } from 'node:fs';
import path from 'node:path';

const SOURCES = path.join(__dirname, '..', '..', 'src');
const MOST_FILES = 15;

/** Each folder below `src`, with the number of files that are directly in it. */
function* folders(folder: string): Iterable<[name: string, files: number]> {
  const entries = readdirSync(folder, { withFileTypes: true });
  yield [path.relative(SOURCES, folder), entries.filter((entry) => entry.isFile()).length];
  for (const entry of entries) if (entry.isDirectory()) yield* folders(path.join(folder, entry.name));
}

test(`no folder of src has more than ${MOST_FILES} files: one finds one's way in it`, () => {
  const all = [...folders(SOURCES)];
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter(([, files]) => files > MOST_FILES)).toEqual([]);
});
