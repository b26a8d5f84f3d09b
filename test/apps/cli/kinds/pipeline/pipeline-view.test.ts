import { stripVTControlCharacters } from 'node:util';
import {
  nodeEndLines,
  nodeStartLine,
  nodeTable,
  pipelineText,
  stateText,
} from '../../../../../src/apps/cli/kinds/pipeline/pipeline-view';
import type { NodeProgress } from '../../../../../src/kinds/pipeline/contract/pipeline-results';

const node = (given: Partial<NodeProgress>): NodeProgress => ({
  name: 'facts',
  action: 'llm.call',
  status: 'done',
  warnings: [],
  ...given,
});

test('a node says when it begins, how it ended, and what was odd', () => {
  expect(stripVTControlCharacters(nodeStartLine(node({}), 1, 3))).toBe('2/3 facts  llm.call');
  const failed = node({
    status: 'failed',
    outcome: 'gave up',
    ms: 2_000,
    error: 'no\u001b[2J answer',
    warnings: ['odd'],
  });
  expect(nodeEndLines(failed).map(stripVTControlCharacters)).toEqual([
    expect.stringMatching(/^ {2}✗ failed · gave up · 2(\.0)? s$/),
    '  no\ufffd[2J answer',
    '  ! odd',
  ]);
  expect(nodeEndLines(node({})).map(stripVTControlCharacters)).toEqual([expect.stringMatching(/^ {2}✓ done · 0/)]);
});

test('the table has a row for each node, and a dash for what is not known', () => {
  const table = stripVTControlCharacters(
    nodeTable([
      node({ ms: 1_000, outcome: 'passed', workflowId: 'run/facts' }),
      node({ name: 'text', status: 'waiting' }),
    ]),
  );
  const [, , first, second] = ['', '', ...table.split('\n').filter((line) => /facts|text/.test(line))];
  expect(first).toMatch(/1.*facts.*llm\.call.*✓ done.*passed.*1(\.0)? s.*run\/facts/);
  expect(second).toMatch(/2.*text.*waiting.*–.*–.*–/);
});

test('the state is shown without what loops say of themselves', () => {
  expect(stripVTControlCharacters(stateText({ topic: 'rain', reflection_output: 'x', reflection_best: 'y' }))).toMatch(
    /"topic": ?"rain"[^]*and 2 keys reflection_…, which --json shows$/,
  );
  expect(stateText({ topic: 'rain' })).not.toContain('reflection_');
});

test('a pipeline that ended is shown with what its worker knows, and without', () => {
  const result = {
    state: { topic: 'rain' },
    nodes: [
      { name: 'facts', ms: 500, workflowId: 'run/facts' },
      { name: 'text', ms: 500, warnings: ['odd'] },
    ],
  };
  const alone = stripVTControlCharacters(pipelineText(result, undefined));
  expect(alone).toMatch(/^✓ 2 nodes done · 1(\.0)? s\n/);
  expect(alone).toMatch(/facts.*–.*✓ done/);
  const tokenUsage = { promptTokens: 1, completionTokens: 2, totalTokens: 3, modelCalls: 1, usd: null };
  const known = pipelineText(result, {
    nodes: [node({}), node({ name: 'text' })],
    state: {},
    tokenUsage,
    phase: 'done',
  });
  expect(stripVTControlCharacters(known)).toMatch(/^✓ 2 nodes done · .*3 tokens/);
  expect(stripVTControlCharacters(known)).toMatch(/facts.*llm\.call/);
});
