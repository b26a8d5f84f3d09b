import type { Blocker } from '../../../loop/contract/blockers';
import { askedCode } from '../../../lib/text/asked-code';
import { wordsOf } from './judge-codes';
import { bindReply, matchesPattern } from './match';
import type { LedgerEntry, Pattern, ScriptedRequest, ScriptEntry } from './script';

type Body = NonNullable<LedgerEntry['body']>;
type Place = 'first' | 'second';

/** The settings of a judge's verdict in a script. */
export interface ScriptedVerdict {
  /**
   * A pattern of the text that is judged: the answer is given about such texts only, and of two compared texts about the one that
   * fits. A request to put a judgement into form shows no text, so it gets no such answer. Default: any text.
   */
  about?: Pattern;
  /** From 0 to 1, from an `llm` judge. Default: 1 of a pass, 0.3 of a fail. Other judges give none. */
  score?: number;
  /** For a comparison: a pattern of the text that is judged. Default: `about`, else that of the two which the scripted model wrote last. */
  output?: Pattern;
}

/** The settings of a rejection in a script. A judge without structured output gives its score and the reason only. */
export interface ScriptedRejection extends ScriptedVerdict {
  severity?: 'minor' | 'major' | 'critical';
  /** JSON Pointer to the place in a JSON output. */
  path?: string;
  suggestion?: string;
  /** Whether no revision can repair it. Default: false. */
  missingInformation?: boolean;
  /** The kind of what only a person can bring, so that no revision can repair it. Default: none. */
  blocker?: Blocker;
  /** For `criteria`: the questions that are answered with no, such as `['q2']`. Default: all. */
  questions?: readonly string[];
}

interface AskedForm {
  kind: 'llm' | 'criteria' | 'comparison';
  isJson: boolean;
  asksBlockers?: boolean;
}

interface Finding extends ScriptedRejection {
  isPass: boolean;
  reason: string;
}

/** A form begins with the code. In JSON forms, fields have a hyphen. */
const FORM = /^(?:- )?code: the code\b.*(?:\n.+)*/m;
const FENCED = /<<<([A-Z_]+) (\w+)\n[\s\S]*?\n\2 \1>>>/g;
const OUTPUTS = new Set(['OUTPUT', 'FIRST', 'SECOND']);
const FAIL_SCORE = 0.3;
const NO_VERDICT = 'That is hard to say.';

/**
 * Answers of judges for scripts: `pass`, `fail` and `unreadable`. Each fits the next request of a judge, whether it is an
 * `llm`, `criteria` or `comparison` evaluator, and is written in the form that the request asks for, with its code.
 */
export const judges = {
  /** Creates the answer of a judge that passes the output: `criteria` answers each question with yes. */
  pass: (verdict: ScriptedVerdict = {}): ScriptEntry =>
    judgeEntry('judges.pass()', verdict, (request) =>
      verdictText({ ...verdict, isPass: true, reason: 'Nothing is wrong with it.' }, request),
    ),

  /** Creates the answer of a judge that rejects the output for a reason. */
  fail: (why: string, rejection: ScriptedRejection = {}): ScriptEntry =>
    judgeEntry(`judges.fail(${JSON.stringify(why)})`, rejection, (request) =>
      verdictText({ ...rejection, isPass: false, reason: why }, request),
    ),

  /** Creates an answer that holds no verdict. The judge is then asked once more to put it into form. */
  unreadable: (reply: string = NO_VERDICT, verdict: Pick<ScriptedVerdict, 'about'> = {}): ScriptEntry => ({
    ...judgeEntry('judges.unreadable()', verdict, () => reply),
    asWritten: true,
  }),
};

function judgeEntry(
  name: string,
  { about }: Pick<ScriptedVerdict, 'about'>,
  reply: (request: ScriptedRequest) => unknown,
): ScriptEntry {
  const fits = ({ body }: ScriptedRequest): boolean =>
    formIn(body) !== undefined &&
    (about === undefined || judgedTexts(body).some((text) => matchesPattern(about, text)));
  return { reply: bindReply(Object.defineProperty(reply, 'name', { value: name }), fits) };
}

function fencedTexts({ messages }: Body): { label: string; text: string }[] {
  const prompt = messages.map(({ content }) => wordsOf(content)).join('\n');
  return [...prompt.matchAll(FENCED)].map(([fenced, label = '']) => ({
    label,
    text: fenced.split('\n').slice(1, -1).join('\n'),
  }));
}

function judgedTexts(body: Body): string[] {
  const fenced = fencedTexts(body);
  const outputs = fenced.filter(({ label }) => OUTPUTS.has(label)).map(({ text }) => text);
  if (outputs.length > 0 || fenced.some(({ label }) => label === 'JUDGEMENT')) return outputs;
  return [wordsOf(body.messages.at(-1)?.content)];
}

function formIn({ messages }: Body): AskedForm | undefined {
  if (askedCode(wordsOf(messages.at(-1)?.content)) === undefined) return undefined;
  // The form comes before the material, in which an author may have put another one.
  const [form] = messages.flatMap(({ content }) => FORM.exec(wordsOf(content))?.[0] ?? []);
  if (form === undefined) return undefined;
  const isJson = form.startsWith('- ');
  const asksBlockers = / blocker \(/.test(form);
  if (/^(?:- answers|q and its number): /m.test(form)) return { kind: 'criteria', isJson, asksBlockers };
  return { kind: /^(?:- )?better: /im.test(form) ? 'comparison' : 'llm', isJson, asksBlockers };
}

function verdictText(finding: Finding, request: ScriptedRequest): unknown {
  const form = formIn(request.body);
  if (!form) throw new TypeError('An answer of `judges` was given to a request that is not a judge’s');
  if (form.kind === 'criteria') return checklistReply(finding, form, questionsIn(request.body));
  return form.kind === 'llm' ? verdictReply(finding, form) : comparisonReply(finding, form, request);
}

function faultOf(
  { reason, path, severity, suggestion, missingInformation = false, blocker }: Finding,
  form: AskedForm,
) {
  const information = missingInformation ? ('information' as const) : null;
  return {
    message: reason,
    path: path ?? null,
    severity: severity ?? null,
    suggestion: suggestion ?? null,
    ...(form.asksBlockers ? { blocker: blocker ?? information } : { missingInformation, ...(blocker && { blocker }) }),
  };
}

function verdictReply(finding: Finding, form: AskedForm): unknown {
  const { isJson } = form;
  const { isPass, reason, score = isPass ? 1 : FAIL_SCORE } = finding;
  if (!isJson) {
    const lines = [`Verdict: ${isPass ? 'pass' : 'fail'}`, `Score: ${score}`, `Reason: ${reason}`];
    return [...lines, ...(isPass ? [] : ['Issues:', `- ${reason}`])].join('\n');
  }
  const issues = isPass ? [] : [{ ...faultOf(finding, form), criterion: null }];
  return { reason, issues, suggestions: [], score, valid: isPass, confidence: null };
}

function questionsIn({ messages }: Body): string[] {
  const asked = messages.map(({ content }) => wordsOf(content).replaceAll(FENCED, '')).join('\n');
  return [...asked.matchAll(/^(q\d+)\. /gm)].map(([, id]) => id!);
}

function checklistReply(finding: Finding, form: AskedForm, ids: string[]): unknown {
  const { isJson } = form;
  const { isPass, reason, questions = ids } = finding;
  const unknown = questions.filter((id) => !ids.includes(id));
  if (unknown.length > 0) throw new TypeError(`The judge was asked ${ids.join(', ')}, and not ${unknown.join(', ')}`);
  const { message, ...fault } = faultOf(finding, form);
  const answers = ids.map((question) =>
    isPass || !questions.includes(question)
      ? { question, finding: 'It is so.', answer: 'yes' }
      : { question, finding: message, answer: 'no', ...fault },
  );
  if (isJson) return { answers, confidence: null };
  return answers
    .map(({ question, answer }) => `${question}: ${answer}${answer === 'no' ? ` - ${reason}` : ''}`)
    .join('\n');
}

function comparisonReply(finding: Finding, { isJson }: AskedForm, request: ScriptedRequest): unknown {
  const { isPass, reason, about, output = about } = finding;
  const place = findOutput(request, output);
  const better = isPass ? place : otherThan(place);
  if (!isJson) return `Better: ${better}\nMargin: clear\nReason: ${reason}`;
  const faults = { faults_first: [], faults_second: [], ...(!isPass && { [`faults_${place}`]: [reason] }) };
  return { reason, ...faults, better, margin: 'clear', confidence: null };
}

function otherThan(place: Place): Place {
  return place === 'first' ? 'second' : 'first';
}

/** The text that the model wrote last, or the other one if the model has seen that since, to revise it. */
function findOutput({ body, earlier = [] }: ScriptedRequest, pattern: Pattern | undefined): Place {
  const texts = new Map<Place, string>();
  for (const { label, text } of fencedTexts(body))
    if (label === 'FIRST' || label === 'SECOND') texts.set(label === 'FIRST' ? 'first' : 'second', text);
  if (texts.size < 2)
    throw new TypeError('A request to put a comparison into form shows no texts: answer with `judges.unreadable()`');
  const find = (fits: (text: string) => boolean): Place | undefined => [...texts].find(([, text]) => fits(text))?.[0];
  const place =
    pattern === undefined ? findWritten(earlier, texts, find) : find((text) => matchesPattern(pattern, text));
  if (place) return place;
  throw new TypeError(
    `Neither of the compared texts ${pattern === undefined ? 'is one that the scripted model wrote: set `output`' : 'fits `output`'}`,
  );
}

function findWritten(
  earlier: readonly LedgerEntry[],
  texts: ReadonlyMap<Place, string>,
  find: (fits: (text: string) => boolean) => Place | undefined,
): Place | undefined {
  const drafts = earlier.filter(({ kind, body }) => kind === 'request' && body && !formIn(body));
  for (const { request } of drafts.toReversed()) {
    const { reply } = earlier.find((entry) => entry.kind === 'answer' && entry.request === request) ?? {};
    const place =
      reply === undefined
        ? undefined
        : (find((text) => plain(text) === plain(reply)) ?? find((text) => reply.includes(text)));
    if (!place) continue;
    const isRevised = drafts.some(
      ({ request: later, body }) =>
        later > request && body!.messages.some(({ content }) => wordsOf(content).includes(texts.get(place)!)),
    );
    return isRevised ? otherThan(place) : place;
  }
  return undefined;
}

function plain(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text.trim();
  }
}
