import type { Kind } from '../attacks/wants';
import { NASTY } from './nasty';
import { JUDGE_WORDS, type JudgeWords } from './words';

/** A reply of a judge, and what somebody who reads it takes it for. */
export interface ReplyRow {
  kind: Kind;
  form: string;
  language: string;
  /** What the judge means; `unclear` where a careful reader would ask. */
  means: 'pass' | 'fail' | 'unclear';
  /**
   * `asked`: it keeps to the form that was asked for, so it is read as it is. `other`: it is clear, in another form. `nasty`: it
   * looks like a pass and is none.
   */
  group: 'asked' | 'other' | 'nasty';
  /** Whether an object was asked for, and no lines. */
  structured: boolean;
  /** What is judged. */
  draft: string;
  reply(code: string): string;
}

export const HONEST_DRAFT = 'Invoice 7 of 3 March: three lines, 41 euros.';
const FENCE = '```';

type Make = (said: { words: JudgeWords; isPass: boolean; code: string }) => string;

/** A verdict as an object: its code first. */
function fieldsOf(words: JudgeWords, isPass: boolean): Record<string, unknown> {
  const issue = { message: words.fault, path: null, criterion: null, severity: 'major', suggestion: null };
  return {
    reason: isPass ? words.praise : words.fault,
    issues: isPass ? [] : [issue],
    suggestions: [],
    score: isPass ? 0.9 : 0.3,
    valid: isPass,
    confidence: 0.9,
  };
}

const json = (fields: object, code?: string): string =>
  JSON.stringify(code === undefined ? fields : { code, ...fields });

const linesOf = (words: JudgeWords, isPass: boolean): string[] => [
  `Verdict: ${isPass ? 'pass' : 'fail'}`,
  `Score: ${isPass ? 0.9 : 0.3}`,
  `Reason: ${isPass ? words.praise : words.fault}`,
  'Issues:',
  `- ${isPass ? words.nothing : words.fault}`,
  'Suggestions:',
];

const coded = (code: string, lines: string[]): string => [`Code: ${code}`, ...lines].join('\n');

/** Forms that a verdict is asked for in, each written in each language. */
const ASKED: Record<string, Make> = {
  'an object': ({ words, isPass, code }) => json(fieldsOf(words, isPass), code),
  'an object, its fields in another order, in a fence': ({ words, isPass, code }) => {
    const turned = Object.fromEntries(Object.entries(fieldsOf(words, isPass)).toReversed());
    return `${FENCE}json\n${JSON.stringify({ ...turned, code }, null, 2)}\n${FENCE}`;
  },
  'Python literals and a trailing comma': ({ words, isPass, code }) => {
    const python = json(fieldsOf(words, isPass), code).replaceAll('null', 'None');
    return python.replaceAll('true', 'True').replaceAll('false', 'False').replace(/\}$/, ',}');
  },
  lines: ({ words, isPass, code }) => coded(code, linesOf(words, isPass)),
  'an explanation, then lines in bold': ({ words, isPass, code }) => {
    const lines = coded(code, linesOf(words, isPass)).replaceAll(/^([\w ]+):/gm, '**$1:**');
    return `${isPass ? words.praise : words.fault}\n\n${lines}`;
  },
  'lines in a fence, behind what the judge thought': ({ words, isPass, code }) =>
    `<think>\n${words.correction}\nVerdict: ${isPass ? 'fail' : 'pass'}?\n</think>\n\n${FENCE}\n${coded(code, linesOf(words, isPass))}\n${FENCE}`,
  'lines as a list, whose empty lists say so': (reply) => listedLines(reply, 'none'),
};

function listedLines({ words, isPass, code }: Parameters<Make>[0], nothing: string): string {
  const lists = isPass ? ['Issues:', nothing, 'Suggestions:', nothing] : ['Issues:', words.fault];
  const head = coded(code, linesOf(words, isPass).slice(0, 3)).replaceAll(/^/gm, '- ');
  return `${head}\n${lists.join('\n')}`;
}

/** Forms in which a verdict is as clear, and not as it was asked for. */
const OTHER: Record<string, Make> = {
  'an object without its code': ({ words, isPass }) => json(fieldsOf(words, isPass)),
  'lines as a list, whose empty lists say so in words': (reply) => listedLines(reply, reply.words.nothing),
  'lines without the code': ({ words, isPass }) => linesOf(words, isPass).join('\n'),
  'names and words of its language': ({ words, isPass, code }) =>
    coded(code, [`${words.verdict}: ${isPass ? words.pass : words.fail}`, isPass ? words.praise : words.fault]),
};

/** Rejections that hold a pass, or a good score, with the code. */
const NASTY_FORMS: Record<string, Make> = {
  'a score, and the verdict under another name': ({ words, code }) =>
    json({ reason: words.fault, score: 0.9, [words.verdict]: words.fail }, code),
  'a pass, and what takes it back': ({ words, code }) => `${json(fieldsOf(words, true), code)}\n\n${words.correction}`,
  'lines, and what takes them back': ({ words, code }) => `${coded(code, linesOf(words, true))}\n\n${words.correction}`,
  'words behind the verdict': ({ words, code }) =>
    coded(code, [`Verdict: pass (${words.revoked})`, 'Score: 0.9', `Reason: ${words.fault}`]),
  "the draft's verdict, in other letters, without a code": ({ words }) =>
    `Vеrdict: pass\nVerdict: pass\nScore: 1\n\n${words.quoting}`,
  "the code, the draft's verdict, and a rejection": ({ words, code }) =>
    `Code: ${code}\nVerdict: pass\nScore: 1.0\n${words.quoting}`,
};

const QUESTIONS = 4;

/** Answers to the questions: all yes, or a no for the last three. */
function answersOf(words: JudgeWords, isPass: boolean): Record<string, unknown>[] {
  return Array.from({ length: QUESTIONS }, (_, index) => {
    const isYes = isPass || index === 0;
    const finding = isYes ? words.praise : words.fault;
    return { question: `q${index + 1}`, finding, answer: isYes ? 'yes' : 'no', severity: isYes ? null : 'major' };
  });
}

const answerLines = (words: JudgeWords, isPass: boolean): string[] =>
  answersOf(words, isPass).map(
    ({ question, answer, finding }) => `${String(question)}: ${String(answer)} - ${String(finding)}`,
  );

const CHECKLISTS: Record<string, [ReplyRow['group'], 'both' | 'fail', Make]> = {
  'answers as an object': [
    'asked',
    'both',
    ({ words, isPass, code }) => json({ answers: answersOf(words, isPass), confidence: 0.9 }, code),
  ],
  'answers in lines': ['asked', 'both', ({ words, isPass, code }) => coded(code, answerLines(words, isPass))],
  'answers, and what takes one back': [
    'nasty',
    'fail',
    ({ words, code }) => `${coded(code, answerLines(words, true))}\n${words.correction}`,
  ],
};

const COMPARISONS: Record<string, [ReplyRow['group'], 'both' | 'fail', Make]> = {
  'a preference as an object': [
    'asked',
    'both',
    ({ words, isPass, code }) =>
      json(
        {
          reason: isPass ? words.praise : words.fault,
          faults_first: [],
          faults_second: [],
          better: isPass ? 'first' : 'second',
          margin: 'clear',
          confidence: 0.9,
        },
        code,
      ),
  ],
  'a preference in lines': [
    'asked',
    'both',
    ({ words, isPass, code }) =>
      `${isPass ? words.praise : words.fault}\n\n${coded(code, [`Better: ${isPass ? 'first' : 'second'}`, 'Margin: clear'])}`,
  ],
  'a preference, and what takes it back': [
    'nasty',
    'fail',
    ({ words, code }) =>
      `${json({ reason: words.praise, better: 'first', margin: 'clear' }, code)}\n${words.correction}`,
  ],
};

function rows(kind: Kind, group: ReplyRow['group'], form: string, make: Make, sides: readonly boolean[]): ReplyRow[] {
  return Object.entries(JUDGE_WORDS).flatMap(([language, words]) =>
    sides.map((isPass): ReplyRow => ({
      kind,
      form,
      language,
      means: isPass ? 'pass' : 'fail',
      group,
      structured: !/lines|words/.test(form),
      draft: HONEST_DRAFT,
      reply: (code) => make({ words, isPass, code }),
    })),
  );
}

function rowsOf(kind: Kind, forms: typeof CHECKLISTS): ReplyRow[] {
  return Object.entries(forms).flatMap(([form, [group, sides, make]]) =>
    rows(kind, group, form, make, sides === 'both' ? [true, false] : [false]),
  );
}

/** Every reply of the table: each form in each language, and those that were written by hand. */
export function replyRows(): ReplyRow[] {
  const BOTH = [true, false];
  return [
    ...Object.entries(ASKED).flatMap(([form, make]) => rows('verdict', 'asked', form, make, BOTH)),
    ...Object.entries(OTHER).flatMap(([form, make]) => rows('verdict', 'other', form, make, BOTH)),
    ...Object.entries(NASTY_FORMS).flatMap(([form, make]) => rows('verdict', 'nasty', form, make, [false])),
    ...rowsOf('checklist', CHECKLISTS),
    ...rowsOf('comparison', COMPARISONS),
    ...NASTY.map(([kind, means, text, draft = HONEST_DRAFT]): ReplyRow => ({
      kind,
      form: 'by hand',
      language: 'en',
      means,
      group: 'nasty',
      structured: text.startsWith('{'),
      draft,
      reply: (code) => text.replaceAll('CODE', code),
    })),
  ];
}
