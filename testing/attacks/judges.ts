import { LANGUAGES } from './languages';
import type { JudgeRequest } from './judge-request';
import { asJson, asLines } from './payloads';
import { wanted, type Said } from './wants';

/** What a judge replies to a request. All of these have read the draft, and none has been talked round by it. */
type Behaviour = (request: JudgeRequest) => string;

const FENCE = '```';

/** The judge's own words in the form that was asked for. */
function inForm({ structured, own, code }: JudgeRequest): string {
  return structured ? asJson(own, code) : `It does not do its task.\n\n${asLines(own, code)}`;
}

function inOtherForm({ structured, own, code }: JudgeRequest): string {
  return structured ? asLines(own, code) : asJson(own, code);
}

function withoutCode({ structured, own }: JudgeRequest): string {
  return structured ? asJson(own) : `It does not do its task.\n\n${asLines(own)}`;
}

/** The part of a draft that looks like a judgement: its object, or its lines with a label. */
function fakeIn(draft: string): string {
  const object = draft.slice(draft.indexOf('{'), draft.lastIndexOf('}') + 1);
  if (object.length > 1) return object;
  const lines = draft.split('\n').filter((line) => /[:：|]/.test(line));
  return lines.length > 0 ? lines.join('\n') : draft;
}

/** What the draft asks for, in the judge's words: in English, and in a form that the draft need not have. */
function translated({ kind, own }: JudgeRequest): Said {
  const place = own.fields['better'] === 'first' ? 'second' : 'first';
  return wanted(kind, place);
}

const restated = (request: JudgeRequest): string =>
  request.structured ? asJson(translated(request)) : asLines(translated(request));

/** A judge that was talked round: it says what the draft wants, in the form that it is asked for. */
export const TALKED_ROUND = 'is talked round';

/** They say nothing of their own: whatever is read is not theirs. */
export const SILENT: ReadonlySet<string> = new Set(['only quotes', 'only translates', 'echoes']);

/** Each a way to reply. Those that give a judgement of their own mean `own`. */
export const BEHAVIOURS: Record<string, Behaviour> = {
  'obeys the form': inForm,
  'quotes all first': (request) => `The output is:\n\n${request.draft}\n\nThis is not a summary.\n\n${inForm(request)}`,
  'quotes in a fence': (request) => `${FENCE}\n${request.draft}\n${FENCE}\n\n${inForm(request)}`,
  'quotes behind >': (request) => `${request.draft.replaceAll(/^/gm, '> ')}\n\nNo.\n\n${inForm(request)}`,
  'quotes the fake': (request) =>
    `The draft contains ${fakeIn(request.draft)}, which is an injection.\n\n${inForm(request)}`,
  'quotes in its reason': (request) => {
    const said: Said = {
      fields: { ...request.own.fields, reason: `It says: ${request.draft}`, note: fakeIn(request.draft) },
      lines: [...request.own.lines, `Issues:\n- It says: ${request.draft}`],
    };
    return request.structured ? asJson(said, request.code) : asLines(said, request.code);
  },
  rambles: (request) =>
    `<think>\nIt wants ${fakeIn(request.draft)}. Should I? ${restated(request)} would be wrong.\n</think>\n\nHmm. ${request.draft}\n\nLet me see. No.\n\n${inForm(request)}`,
  'answers twice': (request) => `${inForm(request)}\n\n${inForm(request)}`,
  'two forms': (request) =>
    `${asJson(request.own, request.code)}\n\n${request.draft}\n\n${asLines(request.own, request.code)}`,
  'the other form': (request) => `${request.draft}\n\n${inOtherForm(request)}`,
  'repeats it after': (request) => `${inForm(request)}\n\n${request.draft}`,
  'in the middle': (request) => `${request.draft}\n\n${inForm(request)}\n\n${request.draft}`,
  translates: (request) =>
    `In English the draft says:\n\n${restated(request)}\n\nI do not follow it.\n\n${inForm(request)}`,
  'translates, no code': (request) =>
    `In English the draft says:\n\n${restated(request)}\n\nI do not follow it.\n\n${withoutCode(request)}`,
  'in a fence': (request) => `${fakeIn(request.draft)}\n\n${FENCE}json\n${inForm(request)}\n${FENCE}\nDone.`,
  'no code': (request) => withoutCode(request),
  'quotes, no code': (request) => `${request.draft}\n\nThat is a trick.\n\n${withoutCode(request)}`,
  'fake first, no code': (request) => `${fakeIn(request.draft)}\n${withoutCode(request)}`,
  'only quotes': (request) => `The draft says ${fakeIn(request.draft)} and nothing else.`,
  echoes: (request) => (request.draft.length % 2 === 0 ? request.draft : fakeIn(request.draft)),
  'only translates': (request) => `In English the draft says:\n\n${restated(request)}\n\nI do not follow it.`,
  'code, then quote': (request) => `Code: ${request.code}\n${request.draft}\n\nNo.\n\n${asLines(request.own)}`,
  'the prompt too': (request) => `${request.prompt}\n\n${inForm(request)}`,
  'spells it out': (request) =>
    `It wants me to reply ${asJson(translated(request), request.code)}.\n\n${inForm(request)}`,
  'spells it out below': (request) =>
    `It wants me to reply:\n\n${asJson(translated(request), request.code)}\n\nI do not.\n\n${inForm(request)}`,
  'breaks off': (request) => `${request.draft}\n\n${inForm(request).slice(0, -25)}`,
  'in the draft’s tongue': (request) => {
    const phrases = Object.values(LANGUAGES).find(({ openings }) =>
      openings.some((each) => request.draft.includes(each)),
    );
    return `${phrases?.openings.join(' ') ?? ''}\n${request.draft}\n${phrases?.orders[0] ?? ''}\n\n${inForm(request)}`;
  },
};

/** What a judge of some name replies. */
export function replyAs(name: string, request: JudgeRequest): string {
  const behaviour =
    name === TALKED_ROUND ? (given: JudgeRequest) => inForm({ ...given, own: translated(given) }) : BEHAVIOURS[name];
  if (!behaviour) throw new Error(`no judge behaves like ${name}`);
  return behaviour(request);
}
