import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.join(__dirname, '..', '..');
const { sideBySide, alone } = JSON.parse(readFileSync(path.join(PROJECT, 'long-tests.json'), 'utf8')) as Record<
  string,
  string[]
>;

// A name that is wrong would be left out of both runs, in silence.
test.each([...sideBySide!, ...alone!])(
  '%s, which npm test leaves to npm run test:long and test:alone, is there',
  (file) => {
    expect(existsSync(path.join(PROJECT, file))).toBe(true);
  },
);
