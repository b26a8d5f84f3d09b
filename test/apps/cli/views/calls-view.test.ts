import { stripVTControlCharacters } from 'node:util';
import { callLines, proofLines, wholeCalls } from '../../../../src/apps/cli/views/calls-view';
import type { Html } from '../../../../src/apps/report/html';
import { callList, proofTable } from '../../../../src/apps/report/call-list';
import type { CallRecord } from '../../../../src/loop/contract/calls';
import { anEvaluation, aVersion } from '../../../../testing/support/versions';

const calls: CallRecord[] = [
  {
    name: 'orders.find',
    arguments: { number: '1807' },
    result: 'on \u001b[31m3 May\n[left out: 9 characters]\n</b>',
    resultBytes: 5_000,
    outcome: 'ok',
    source: 'recorded',
    startedAt: '2026-11-26T12:00:00.000Z',
    endedAt: '2026-11-26T12:00:01.000Z',
    attempt: 2,
  },
  { name: 'mail.send', result: 'no address', outcome: 'error', source: 'reported' },
];
const version = { ...aVersion(3, anEvaluation('pass', 0.9)), calls, callsOmitted: 4 };

test('the calls of a version are a line each, with the command that prints them whole', () => {
  expect(callLines(version, 'order-1').map(stripVTControlCharacters)).toEqual([
    '',
    '2 calls of version 3 (whole: npx reflect show order-1 --calls 3):',
    '  4 older calls left out',
    expect.stringMatching(/^ {2}✓ orders\.find \{"number":"1807"\} → on .\[31m3 May \[left out: 9 characters\] <\/b>$/),
    '  ✗ (reported) mail.send → error: no address',
  ]);
  expect(callLines(aVersion(1, anEvaluation('pass', 0.9)), 'order-1')).toEqual([]);
  expect(callLines(undefined, 'order-1')).toEqual([]);
});

test('the calls of judges have a list of their own', () => {
  const judged = { ...version, evaluation: { ...version.evaluation, calls: [{ ...calls[0]!, evaluator: 'facts' }] } };
  expect(callLines(judged, 'order-1').map(stripVTControlCharacters).slice(-2)).toEqual([
    '1 call of its judges:',
    expect.stringContaining('✓ orders.find'),
  ]);
  expect(stripVTControlCharacters(wholeCalls([judged]))).toContain('\n\nJudges of version 3: 1 call\n\n1. orders.find');
  const { calls: _calls, callsOmitted: _omitted, ...bare } = judged;
  expect(callLines(bare, 'order-1')[1]).toBe('1 call of its judges (whole: npx reflect show order-1 --calls 3):');
  expect((callList(judged.evaluation, 'Calls of its judges') as Html).text).toContain('<h4>Calls of its judges</h4>');
});

test('whole calls have their arguments, results, times and attempts', () => {
  const text = stripVTControlCharacters(wholeCalls([aVersion(1, anEvaluation('fail', 0.1)), version]));
  expect(text).toContain('Version 3: 2 calls\n  4 older calls left out\n');
  const times = '2026-11-26T12:00:00.000Z to 2026-11-26T12:00:01.000Z';
  expect(text).toContain(`1. orders.find · ok · recorded · ${times} · attempt 2 · result of 5,000 bytes, shortened\n`);
  expect(text).toContain('2. mail.send · error · reported\n→\nno address');
  expect(text).not.toContain('Version 1');
  expect(wholeCalls([aVersion(1, anEvaluation('fail', 0.1))])).toBe('No calls were made.');
});

test('a claim and the record that proves it are side by side', () => {
  const proofs = [
    { criterion: 'tests', claim: 'The tests pass.', record: 'tests.run {} → {"failed":0}' },
    { criterion: 'sent' },
  ];
  const proven = { ...version, evaluation: { ...version.evaluation, proofs } };
  expect(proofLines(proven).map(stripVTControlCharacters)).toEqual([
    '',
    '2 claims of version 3, and what proves it:',
    '  ✓ tests: The tests pass. ← tests.run {} → {"failed":0}',
    '  ✗ sent ← unproven',
  ]);
  expect(proofLines(version)).toEqual([]);
  const page = (proofTable(proven.evaluation) as Html).text.replaceAll(/\s+/g, ' ');
  expect(page).toContain('tests.run {} → {&quot;failed&quot;:0}');
  expect(page).toContain('✗ unproven');
  expect(proofTable(version.evaluation)).toBeUndefined();
});

test('a page lists them folded, and no result breaks out of it', () => {
  const page = (callList(version) as Html).text.replaceAll(/\s+/g, ' ');
  expect(page).toContain('4 older calls left out.');
  expect(page).toContain('orders.find {&quot;number&quot;:&quot;1807&quot;}');
  expect(page).toContain('reported by its agent, not recorded');
  expect(page).toContain('attempt 2 The result has 5,000 bytes, and is not whole here.');
  expect(page).not.toContain('</b>');
  expect(callList({})).toBeUndefined();
});
