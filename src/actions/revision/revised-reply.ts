import { isJsonObject, type Json } from '../../lib/json/json';
import { largeInteger } from '../../lib/json/large-integers';
import { jsonInText } from '../../loop/evaluation/output-reading';
import { differences } from '../../lib/text/json-difference';
import { isDiffOf } from '../../lib/text/described-change';
import { leftOutLine } from '../../lib/text/left-out';
import { soleFence } from '../../lib/text/sole-fence';
import { editedOutput } from './revision-edits';

export interface RevisedReply {
  reply: string;
  output: Json;
  /** Edits, the whole output, one from a model that did not see the old one, or the form in the author's prompt. */
  asked: 'edits' | 'whole' | 'anew' | 'by author';
}

export type RevisedOutput =
  | { output: Json; isWhole: boolean; warnings: string[]; faults: string[] }
  /** The reply holds edits that cannot be applied, or no text. */
  | { problem: string };

const TORN = 'the reply holds several values of the form of the output, which differ: the last one is taken';
const UNFENCED = 'the code fence around the reply was taken off: the text before has none';
const INTRODUCTION =
  /^\s*(?:(?:sure|certainly|of course|okay|ok)[,.!:] *)?(?:here(?:['’]s| is| are)|below is|the (?:corrected|revised|updated|improved))\b[^\n]{0,120}:\s*(?=[`~]{3})/i;
const DIFF = 'The reply describes a change of the text, and is not the text: write all of it.';

function comparable(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}

function findLeftOut(before: Json, after: Json): string | undefined {
  if ((typeof before === 'string') !== (typeof after === 'string')) return undefined;
  const line = leftOutLine(comparable(before), comparable(after));
  return line && `${JSON.stringify(line)} stands in the place of what it leaves out`;
}

/** Finds the last JSON structure in a reply that is nothing but fences or a few words around it. */
function structureIn(reply: string, before: Json & object): { value: Json; isTorn: boolean } | undefined {
  const alike = [...jsonInText(reply)].filter(({ value }) =>
    Array.isArray(before) ? Array.isArray(value) : isJsonObject(value),
  );
  const length = alike.reduce((sum, { start, end }) => sum + end - start, 0);
  if (2 * length <= reply.length) return undefined;
  const last = alike.reduce((one, other) => (other.start > one.start ? other : one));
  // Read, a number in it would be another one: the reply stays the text that it is.
  if (largeInteger(reply.slice(last.start, last.end))) return undefined;
  return { value: last.value, isTorn: alike.some(({ value }) => differences(value, last.value, 1).length > 0) };
}

function asWritten(reply: string, before: Json, asked: RevisedReply['asked']): { output: Json; warnings: string[] } {
  if (typeof before === 'object' && before !== null) {
    const found = structureIn(reply, before);
    const isTaken = found && (found.isTorn || asked !== 'by author');
    return { output: isTaken ? found.value : reply, warnings: found?.isTorn ? [TORN] : [] };
  }
  const inside =
    typeof before === 'string' && !before.includes('```') ? soleFence(reply.replace(INTRODUCTION, '')) : undefined;
  return inside === undefined ? { output: reply, warnings: [] } : { output: inside, warnings: [UNFENCED] };
}

/** A reply that is neither edits nor a whole is a problem if edits were requested (the whole is next), else a fault of the output. */
export function revisedOutput({ reply, output: before, asked }: RevisedReply): RevisedOutput {
  const edited = asked === 'edits' ? editedOutput(reply, before) : 'whole';
  if (edited !== 'whole' && 'problem' in edited) return edited;
  const isWhole = edited === 'whole';
  const { output, warnings } = isWhole ? asWritten(reply, before, asked) : { ...edited, warnings: [] };
  if (asked === 'anew') return { output, isWhole, warnings, faults: [] };
  const problem = findLeftOut(before, output);
  if (problem !== undefined && asked === 'edits') return { problem };
  const faults = problem === undefined ? [] : [`The text is not whole: ${problem}. Write all of it.`];
  if (asked !== 'edits' && typeof output === 'string' && isDiffOf(output, comparable(before))) faults.push(DIFF);
  return { output, isWhole, warnings, faults };
}
