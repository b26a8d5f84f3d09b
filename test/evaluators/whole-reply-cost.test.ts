import { revisedOutput } from '../../src/actions/revision/revised-reply';
import { boundedVerdict } from '../../src/loop/evaluation/bounded';
import type { Json } from '../../src/lib/json/json';
import { distinctIssues } from '../../src/loop/state/evaluation';
import { readChecklist } from '../../src/evaluators/judge/checklist-reply';
import { readComparison } from '../../src/evaluators/judge/comparison-reply';
import { readJudgement } from '../../src/evaluators/judge/judge-reply';
import { isProblem } from '../../src/evaluators/replies/words';
import { differencesOf, similarityOf } from '../../src/evaluators/value-comparison';
import { expectWithin } from '../../testing/support/processor-time';

const many = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index));

const wide: Json = Object.fromEntries(many(20_000, (index) => [`key${index}`, `value ${index}`]));
const list: Json = many(20_000, (index) => ({ id: index }));
const lines = many(20_000, (index) => `line ${index} of a text that is edited in many places at once`);
const patch = (operation: (index: number) => object): string => JSON.stringify({ patch: many(10_000, operation) });
const edits = (count: number, search: (index: number) => string): string =>
  many(count, (index) => `<<<<<<< SEARCH\n${search(index)}\n=======\nrow ${index}\n>>>>>>> REPLACE\n`).join('');

/** A reply to a request for edits, the output that it edits, and whether it comes to one. */
const EDITS: [string, string, Json, 'output' | 'problem' | 'whole'][] = [
  ['replacements', patch((index) => ({ op: 'replace', path: `/key${index}`, value: -1 })), wide, 'output'],
  ['removals', patch((index) => ({ op: 'remove', path: `/key${index}` })), wide, 'output'],
  ['removals from the front of a list', patch(() => ({ op: 'remove', path: '/0' })), list, 'output'],
  ['copies of parts', patch((index) => ({ op: 'copy', from: '/0', path: `/${index}` })), list, 'output'],
  ['tests of a value', patch(() => ({ op: 'test', path: '/key0', value: 'value 0' })), wide, 'output'],
  [
    'operations, the last of which cannot be done',
    patch((index) => ({ op: 'remove', path: index === 9_999 ? '/nowhere' : `/key${index}` })),
    wide,
    'problem',
  ],
  ['operations that are cut off', patch(() => ({ op: 'remove', path: '/0' })).slice(0, -3), list, 'problem'],
  ['objects that are no patch', '{"op": "none"} '.repeat(30_000), list, 'whole'],
  ['edits of a text', edits(8_000, (index) => lines[index * 2]!), lines.join('\n'), 'output'],
  ['edits of text that is not there', edits(8_000, (index) => `${lines[index]} x`), lines.join('\n'), 'problem'],
  ['edits of what is there twice', edits(8_000, () => 'a text that is edited'), lines.join('\n'), 'problem'],
  ['edits that do not end', '<<<<<<< SEARCH\nline\n'.repeat(20_000), lines.join('\n'), 'problem'],
];

const issue = (index: number): object => ({ message: `Fault ${index} of this output.`, path: `/items/${index}` });
const issues = many(6_000, issue);

/** Readers of whole replies of judges, each with as many findings as are read, and of what they amount to. */
const FINDINGS: [string, () => void][] = [
  [
    'issues in an object',
    () => {
      const judged = readJudgement(
        JSON.stringify({ valid: false, score: 0.1, issues: issues.slice(0, 1_500) }),
        0.8,
        'judge',
      );
      if (isProblem(judged)) throw new Error(judged.problem);
      boundedVerdict({ ...judged, name: 'judge', type: 'llm', ms: 1 });
    },
  ],
  [
    'issues in lines',
    () => {
      const told = many(1_800, (index) => `- major: fault ${index} of this output, at /items/${index}`).join('\n');
      expect(isProblem(readJudgement(`Verdict: fail\nScore: 0.1\nIssues:\n${told}`, 0.8, 'judge'))).toBe(false);
    },
  ],
  [
    'answers to questions',
    () => {
      const ids = many(1_400, (index) => `q${index + 1}`);
      const answers = ids.map((question) => ({ question, answer: 'no', finding: `Fault of ${question}.` }));
      expect(readChecklist(JSON.stringify({ answers }), ids)).toHaveProperty('answers.size', 1_400);
    },
  ],
  [
    'faults of two outputs',
    () => {
      const faults = many(1_500, (index) => `Fault ${index} of this output.`);
      const reply = JSON.stringify({ better: 'first', margin: 'clear', faults_first: faults, faults_second: faults });
      expect(isProblem(readComparison(reply, 'second', 'the other', 'comparison'))).toBe(false);
    },
  ],
  [
    'the same issues of several votes',
    () => {
      const told = many(3, () => issues.map((each) => ({ ...each, message: 'x', evaluator: 'judge' }))).flat();
      expect(distinctIssues(told).length).toBeGreaterThan(0);
    },
  ],
  [
    'differences of an output',
    () => {
      const other = Object.fromEntries(many(20_000, (index) => [`key${19_999 - index}`, 0]));
      expect(differencesOf({ output: wide, other })).toHaveLength(20);
      expect(differencesOf({ output: JSON.stringify(wide), other: wide })).toEqual([]);
    },
  ],
  [
    'texts that are compared',
    () => {
      const other = lines.toReversed().join('\n');
      expect(similarityOf({ output: lines.join('\n').slice(0, 400_000), other: other.slice(0, 400_000) })).toBeLessThan(
        1,
      );
    },
  ],
];

describe('whole replies of 400 KB', () => {
  test.each(EDITS)(
    '%s are applied, or refused, within a second of the processor',
    async (_what, reply, output, expected) => {
      const edited = await expectWithin(1_000, () => revisedOutput({ reply, output, asked: 'edits' }));
      const found = 'problem' in edited ? 'problem' : edited.isWhole ? 'whole' : 'output';
      expect(found).toBe(expected);
    },
  );

  test.each(FINDINGS)('%s are read within a second of the processor', async (_what, read) => {
    await expectWithin(1_000, read);
  });
});
