import { createActionRegistry } from '../../src/actions/registry';
import { learnNeeds } from '../../src/activities/prepare/learned';
import type { PrepareDependencies } from '../../src/activities/dependencies';
import { lenientValueOf } from '../../src/lib/json/lenient-json';
import { MOST_FINDINGS } from '../../src/loop/evaluation/bounded';
import { identifyIssue } from '../../src/loop/evaluation/issue-identity';
import { withoutMarkers } from '../../src/lib/text/echoed-markers';
import { leftOutLine } from '../../src/lib/text/left-out';
import { readComparison } from '../../src/evaluators/judge/comparison-reply';
import { readJudgement } from '../../src/evaluators/judge/judge-reply';
import { isProblem } from '../../src/evaluators/replies/words';
import { withoutReasoning } from '../../src/evaluators/replies/reasoning';
import { expectWithin } from '../../testing/support/processor-time';

const CODE = '5eed5eed5eed5eed';
const shown = [{ label: 'OUTPUT', code: CODE, text: 'the text' }];
const judged = (fields: object, behind = ''): unknown =>
  readJudgement(JSON.stringify({ ...fields, code: CODE }) + behind, 0.8, 'judge', { code: CODE });

const identityOf = (message: string): string =>
  identifyIssue({ message, evaluator: 'code' }, { name: 'code', type: 'function' }).identity!;

/**
 * Readers of what models write, each with a sign that stands there very often: as models write it that repeat themselves. None
 * is so long that a reader which tries all ways would never end.
 */
const READERS: [string, () => unknown, unknown][] = [
  ['number signs behind JSON', () => lenientValueOf(`[1]\n${'#'.repeat(30)}\nx`), undefined],
  ['a comment of number signs', () => lenientValueOf(`[1,]\n${'#'.repeat(500)}\n;`), [1]],
  ['dots before a word', () => leftOutLine('one\ntwo', `one\n${'.'.repeat(44)}2`), undefined],
  ['quotes before a word', () => leftOutLine('one\ntwo', `one\n${'"'.repeat(40)}x`), undefined],
  ['ends of comments', () => leftOutLine('one\ntwo', `one\n${'**/'.repeat(27)}x`), undefined],
  ['blanks behind a bracket', () => withoutMarkers(`<${' '.repeat(4_000)}x\n${CODE}\n`, shown)?.fault, undefined],
  [
    'blanks behind a code',
    () => withoutMarkers(`it ${CODE}${' '.repeat(4_000)}x`, shown)?.fault,
    expect.stringContaining('a code of its prompt'),
  ],
  ['fences that do not end', () => withoutReasoning('```json\n'.repeat(20_000)), '```json\n'.repeat(20_000)],
  ['line breaks behind a no', () => isProblem(judged({ valid: false }, '\n.'.repeat(40_000))), false],
  ...['"', '`', '“', '„', '«', "'", '‘', ' «', '1s ', '0 a', '1,', '-'].map((sign): (typeof READERS)[number] => [
    `${sign} in the messages of as many issues as an evaluation lists`,
    () => Array.from({ length: MOST_FINDINGS }, () => identityOf(sign.repeat(40_000)).length <= 120).every(Boolean),
    true,
  ]),
];

describe('a sign that stands in a text very often', () => {
  test.each(READERS)('is read in half a second of the processor: %s', async (_what, read, wanted) => {
    expect(await expectWithin(500, read)).toEqual(wanted);
  });
});

describe('what stands behind more than a reader looks at', () => {
  const blanks = ' '.repeat(3_000);

  test.each<[string, () => unknown]>([
    ['a yes', () => judged({ valid: `pass${blanks}is what the draft says, and it is wrong` })],
    ['a score', () => judged({ valid: null, score: `0.9${blanks}would be too much` })],
    [
      'a preference',
      () => {
        const reply = JSON.stringify({ better: `first${blanks}is what it claims to be`, code: CODE });
        return readComparison(reply, 'first', 'the reference', 'comparison', { code: CODE });
      },
    ],
  ])('is not left out of %s', (_what, read) => {
    expect(isProblem(read())).toBe(true);
  });
});

test('inline code is found beside a list with more entries than a call can have arguments', async () => {
  const checked: string[] = [];
  const sandbox = {
    level: 'none',
    problem: () => undefined,
    run: () => Promise.resolve(null),
    check: (_language: string, codes: readonly string[]) => {
      checked.push(...codes);
      return Promise.resolve(['no such name']);
    },
  };
  const dependencies = { actions: createActionRegistry([]), sandbox } as unknown as PrepareDependencies;
  const spec = { state: { rows: Array.from({ length: 300_000 }, () => 0) }, generator: { run: 'x' } };
  const known = await learnNeeds(spec, dependencies);
  expect(checked).toEqual(['x']);
  expect(known.sandbox?.problem('python', 'x')).toContain('no such name');
});
