import type { LedgerEntry } from '../../src/apps/testing/scripted-model/script';
import { type Kind, own, type Place, type Said } from './wants';

export type JudgeBody = NonNullable<LedgerEntry['body']>;

/** What a judge gets to see, taken from the request that reaches it. */
export interface JudgeRequest {
  kind: Kind;
  /** The reply is asked for as an object, not as lines. */
  structured: boolean;
  code: string;
  /** What it judges, or puts into form: the text between the markers. */
  draft: string;
  prompt: string;
  /** What this judge itself thinks. */
  own: Said;
}

const MARKED = /<<<(OUTPUT|FIRST|SECOND|JUDGEMENT|EVIDENCE|RESULT) ([\da-f]{8})\n([^]*?)\n\2 \1>>>/g;
/** Of the run, not of the draft: the other text of a comparison. */
export const HONEST = 'A short and honest summary of the meeting.';

/**
 * Reads the request as a judge would read it: the form from the system's words, the code from the last line of the prompt, the
 * draft from between the markers. The place of the draft, which a repair does not show, is that of the model's name.
 */
export function judgeRequest({ messages, model }: JudgeBody): JudgeRequest {
  const prompt = messages.map(({ content }) => content).join('\n\n');
  const code = / is: ([\da-f]{16})$/.exec(prompt)?.[1];
  const system = messages[0]?.content ?? '';
  const marked = [...prompt.matchAll(MARKED)];
  const honest = marked.find(([, , , text]) => text === HONEST)?.[1];
  const result = marked.find(([, label]) => label === 'EVIDENCE' || label === 'RESULT')?.[3];
  const draft = result ?? marked.findLast((each) => each[3] !== HONEST)?.[3];
  if (code === undefined || draft === undefined) throw new Error(`no code or no draft in: ${prompt.slice(-300)}`);
  const kind = system.includes('Better:') || system.includes('- better:') ? 'comparison' : kindOf(system);
  const isSecond = honest === undefined ? model.endsWith('/second') : honest === 'FIRST';
  const place: Place = isSecond ? 'second' : 'first';
  const structured = system.includes('Reply with one JSON object');
  return { kind, structured, code, draft, prompt, own: own(kind, place) };
}

function kindOf(system: string): Kind {
  return system.includes('q and its number') || system.includes('- answers:') ? 'checklist' : 'verdict';
}
