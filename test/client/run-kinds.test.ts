import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { describeStart } from '../../src/calls/run-kind';
import { RUN_KINDS } from '../../src/kinds/list/client';

const SRC = path.join(__dirname, '..', '..', 'src');

const place = { temporal: {} as Client, taskQueue: 'reflection' };
const loop = { generator: { action: 'llm.call' }, evaluator: { type: 'regex', pattern: 'x' } } as const;

test.each([
  [{ ...loop, name: 'Contact card (2)' }, /^contact-card-2-[a-km-z2-9]{14}$/],
  [{ ...loop, name: '名片' }, /^reflection-[a-km-z2-9]{14}$/],
  [loop, /^reflection-[a-km-z2-9]{14}$/],
])('the id of a run begins with its name, as far as that has letters', (spec, expected) => {
  expect(describeStart(RUN_KINDS.loop, place, spec, {}).workflowId).toMatch(expected);
});

test.each(['workflows/index.ts', 'workflow.ts'])('%s exports the workflow of every kind of run', (file) => {
  const exported = readFileSync(path.join(SRC, file), 'utf8');
  const missing = Object.values(RUN_KINDS).filter(({ type }) => !exported.includes(` ${type}`));
  expect(missing.map(({ type }) => type)).toEqual([]);
});
