import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { appendToUser } from '../../lib/models/append-to-user';
import type { ChatMessage } from '../../lib/models/types';
import { fenceText } from '../../lib/templates/fence';
import type { BlockingIssue } from '../../loop/evaluation/blockers';
import type { Judgement } from '../../loop/state/evaluation';
import { makeJudgement } from '../judgement';
import { mayBeVerdict } from '../replies/beside';
import { type ReplyContext, readReply, type ReplyForm } from '../replies/candidates';
import { labelOf, type LineBlock, type LineRole } from '../replies/line-blocks';
import { isProblem, type JudgeProblem } from '../replies/problem';
import type { ReplyLine } from '../replies/reply-lines';
import { readVerdict } from '../replies/words';
import { collectText } from './named-values';
import { ROLE } from './judge-prompt';
import { CODE_FIELD, replySchema } from './judgement-code';

/*
 * The opposite question to a judge that reports nothing but what no revision can repair. It is shown what the judge was shown, with
 * the issues between markers, because a model wrote them.
 */

const MAX_REASON = 1_000;

/** The schema of the reply, for models with structured output; each call adds its code. */
export const CONFIRMATION = replySchema('repair', z.object({ reason: z.string(), mendable: z.boolean() }));

/** The question at the end of the prompt. */
export const MENDABLE =
  'Do not judge the output now. Answer this alone: could a writer mend all of the issues between the markers, with what stands in this prompt?';

const TRUE_IF =
  'if a writer who has only what stands in this prompt could mend them all, such as by stating, leaving out or rewording something';
const FALSE_IF =
  'if one of them needs what only a person can bring: a fact, a decision or a permission, something that happens elsewhere, or another task';

/** Returns the form of the reply in words. */
function confirmationText(structured: boolean): string {
  if (structured) {
    return [
      'Reply with one JSON object and nothing else. Its fields, in this order:',
      `- ${CODE_FIELD}`,
      '- reason: what decides, in one or two sentences',
      `- mendable: true ${TRUE_IF}; false ${FALSE_IF}`,
    ].join('\n');
  }
  return [
    'Reply with these lines:',
    CODE_FIELD,
    'Reason: one sentence',
    `Mendable: the word yes ${TRUE_IF}; the word no ${FALSE_IF}`,
  ].join('\n');
}

function lineOf({ blocker, message, suggestion }: BlockingIssue): string {
  const how = suggestion === undefined ? '' : ` → ${suggestion}`;
  return `- ${blocker}: ${message}${how}`.replaceAll('\n', ' ');
}

/**
 * Returns the messages that ask whether issues can be repaired.
 *
 * @param messages of the judge that reported them: the form of its reply, then the material
 */
export function confirmationMessages(
  [_form, ...material]: ChatMessage[],
  issues: readonly BlockingIssue[],
  structured: boolean,
): ChatMessage[] {
  const listed = fenceText('ISSUES', issues.map(lineOf).join('\n'));
  const role: ChatMessage = { role: 'system', content: `${ROLE}\n\n${confirmationText(structured)}` };
  return appendToUser(
    [role, ...material],
    `Issues of the output, each with what is said to keep a writer from mending it:\n${listed}`,
  );
}

interface Confirmation {
  mendable: boolean;
  reason?: string;
  /** Something beside it may be another answer. */
  isDoubtful?: boolean;
}

function readObject(object: JsonObject): Confirmation | JudgeProblem | undefined {
  const { code: _code, mendable: said = null, reason = null, ...others } = object;
  if (said === null) return undefined;
  const mendable = readVerdict(said);
  if (isProblem(mendable)) return mendable;
  const isDoubtful = Object.values(others).some(mayBeVerdict);
  return { mendable, reason: collectText(reason).slice(0, MAX_REASON), isDoubtful };
}

function roleOf(line: ReplyLine): LineRole | undefined {
  const { name, value } = labelOf(line) ?? { name: '', value: '' };
  if (name === 'mendable') return { kind: 'field', key: name, value };
  return name === 'reason' ? { kind: 'section', name, value, isList: false } : undefined;
}

function readLines({ fields, sections }: LineBlock): Confirmation | JudgeProblem | undefined {
  const said = fields.get('mendable');
  if (said === undefined) return undefined;
  const mendable = readVerdict(said);
  return isProblem(mendable) ? mendable : { mendable, reason: sections.get('reason')?.join(' ').slice(0, MAX_REASON) };
}

/** A no ends the loop, so it is what must not be forged; a yes has the effect of a reply that cannot be read. */
const FORM: ReplyForm<Confirmation> = {
  fromJson: (value: Json) => (isJsonObject(value) ? readObject(value) : undefined),
  fromLines: readLines,
  roleOf,
  agree: (one, other) => one.mendable === other.mendable,
  isWhole: () => true,
  isFavourable: ({ mendable }) => !mendable,
  isDoubtful: ({ isDoubtful }) => isDoubtful === true,
  nothing: 'it does not say whether the issues can be mended',
};

/** Reads the answer: a pass if a writer could repair the issues, a fail if none could. */
export function readConfirmation(reply: string, asked: ReplyContext = {}): Judgement | JudgeProblem {
  const read = readReply(reply, FORM, asked);
  return isProblem(read) ? read : makeJudgement(read.mendable, { reason: read.reason || undefined });
}
