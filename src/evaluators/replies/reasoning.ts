import { jsonOrText } from '../../lib/json/json-or-text';
import { jsonSpans } from './json-spans';
import type { JudgeProblem } from './words';

const MARKS =
  /(<|\[|◁)(\/?)(think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|internal_monologue)(?:>|\]|▷)/gi;
/** The last of several channels is the answer. */
const FINAL_CHANNEL = /<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>/gi;
const CHANNEL = /<\|channel\|>/i;
const END_MARKS = /<\|(?:im_end|end|eot_id|return|endoftext|begin_of_box|end_of_box)\|>|<\/s>\s*$/gi;

/** A line that opens a code fence; without anything after its marks, it may also close one. */
const FENCE = /^[ \t]{0,3}(`{3,9}|~{3,9})([^\n]*)$/gm;

/** Finds the code fences of a text in one pass over such lines, from the last one: most of them may never be closed. */
function fencesIn(text: string): { start: number; end: number }[] {
  const closing = new Map<string, number>();
  const opened = [...text.matchAll(FENCE)].toReversed().map(({ 0: line, 1: marks = '', 2: behind = '', index }) => {
    const end = closing.get(marks);
    if (behind.trim() === '') closing.set(marks, index + line.length);
    return { start: index, end };
  });
  const fences: { start: number; end: number }[] = [];
  for (const { start, end } of opened.toReversed()) {
    if (end !== undefined && start >= (fences.at(-1)?.end ?? 0)) fences.push({ start, end });
  }
  return fences;
}

/** Lists the parts of a reply in which marks are spoken of: its fences, else its objects that are JSON to the letter. */
function spokenParts(text: string): { start: number; end: number }[] {
  if (text.search(MARKS) < 0) return [];
  const fences = fencesIn(text);
  if (fences.length > 0) return fences;
  return jsonSpans(text).spans.filter(({ start, end }) => typeof jsonOrText(text.slice(start, end)) === 'object');
}

/** Whether all marks of a reply may be spoken of: each follows a label and words, as in `Reason: it lacks </think>`. */
export function speaksOfMarks(reply: string): boolean {
  const before = [...reply.matchAll(MARKS)].map(({ index }) => reply.slice(Math.max(0, index - 500), index));
  return before.every((text) => /(?:^|\n)[ \t]*[\w ]{1,40}: *[^\s<[◁][^\n]*$/.test(text));
}

/** Some servers remove the mark that opens the thoughts. No reply follows thoughts that do not end. */
export function withoutReasoning(reply: string): string | JudgeProblem {
  const answered = lastChannel(reply);
  if (answered === undefined) return { problem: 'its reasoning does not end' };
  let kept = '';
  let from = 0;
  let depth = 0;
  const fences = spokenParts(answered);
  for (const match of answered.matchAll(MARKS)) {
    while (fences[0] && fences[0].end <= match.index) fences.shift();
    // What a fence shows, or a text in JSON says, is about such marks, unless it is a thought itself.
    if (depth === 0 && fences[0] && fences[0].start <= match.index) continue;
    const end = match.index + match[0].length;
    if (match[2] === '') {
      if (depth === 0) kept += answered.slice(from, match.index);
      depth++;
    } else if (depth > 0) depth--;
    // Closed and never opened: everything before it is thoughts.
    else kept = '';
    from = end;
  }
  if (depth > 0) return { problem: 'its reasoning does not end' };
  return (kept + answered.slice(from)).replace(END_MARKS, ' ');
}

function lastChannel(reply: string): string | undefined {
  if (!CHANNEL.test(reply)) return reply;
  const last = [...reply.matchAll(FINAL_CHANNEL)].at(-1);
  return last && reply.slice(last.index + last[0].length);
}
