import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RUN_KINDS } from '../../src/client/kinds/run-kinds';

const SRC = path.join(__dirname, '..', '..', 'src');

test.each(['workflows/index.ts', 'workflow.ts'])('%s exports the workflow of every kind of run', (file) => {
  const exported = readFileSync(path.join(SRC, file), 'utf8');
  const missing = Object.values(RUN_KINDS).filter(({ description }) => !exported.includes(` ${description.type}`));
  expect(missing.map(({ description }) => description.type)).toEqual([]);
});
