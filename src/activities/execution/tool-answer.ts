import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ToolEnd } from '../../actions/tool';
import { isOutOfAttempts } from '../../actions/registered';
import { UnknownAction } from '../../actions/registry';
import { messageOf } from '../../lib/base/message-of';
import { ExternalUnavailable } from '../../lib/external';
import { omitUndefined } from '../../lib/base/defined';
import { checkCall } from '../../evaluators/calls/call-checks';
import type { SchemaCheck } from '../../evaluators/calls/matching';
import { sha256 } from '../../lib/base/sha256';
import { canonicalJson } from '../../lib/json/canonical-json';
import { jsonOrText } from '../../lib/json/json-or-text';
import { utf8Bytes } from '../../lib/json/json-bytes';
import { changeTexts } from '../../lib/json/texts';
import { redact } from '../../lib/redact';
import { withoutMiddle } from '../../lib/text/middle';
import { APPROVED_BYTES } from '../../loop/commands/answer';
import { type CallMeasurement, WHOLE_BYTES } from '../../loop/evidence/call-record';
import { shortenText, TOOL_RESULT_CHARACTERS } from '../../loop/step-state/tools';
import type { ParsedArguments } from '../../loop/state/parked-step';
import type { ToolAnswer, ToolInput } from '../protocol';

const hide = (text: string): string => redact(text, { length: Infinity });

/** In the JSON of all arguments, what looks like an address with a password may reach into another text. */
function redactedArguments(text: string): string | undefined {
  const value = jsonOrText(text);
  // What is no JSON is searched as a whole.
  const isWhole = typeof value === 'string';
  const before = isWhole ? text : JSON.stringify(value);
  const safe = isWhole ? hide(text) : JSON.stringify(changeTexts(value, hide));
  return safe === before ? undefined : withoutMiddle(safe, WHOLE_BYTES);
}

/** Redacts a result for records of calls; undefined without secrets. A cut may go through a secret of `whole`. */
function redactedResult(whole: string): string | undefined {
  const safe = redact(whole, { length: TOOL_RESULT_CHARACTERS });
  const isSafe = safe === whole || safe === `${whole.slice(0, TOOL_RESULT_CHARACTERS)}…`;
  return isSafe ? undefined : withoutMiddle(safe, WHOLE_BYTES);
}

/** Arguments after `input`, as a person is shown them: without what looks like a secret and is not in those of the model. */
function parsedArguments(parsed: string, called: string): ParsedArguments {
  const digest = sha256(parsed);
  if (parsed === canonicalJson(called.trim() === '' ? {} : jsonOrText(called))) return { digest };
  const isWritten = (text: string): boolean => called.includes(JSON.stringify(text).slice(1, -1));
  const shown = changeTexts(jsonOrText(parsed), (text) => (isWritten(text) ? text : hide(text)));
  // More is not shown to a person, so that the call is refused.
  return { digest, shown: JSON.stringify(shown).slice(0, APPROVED_BYTES + 1) };
}

export function measureCall(startedAt: number): CallMeasurement {
  return { startedAt, ms: Math.max(0, Date.now() - startedAt), attempt: Context.current().info.attempt };
}

const ERROR_CHARACTERS = 2_000;

/** True if another attempt would get the same error: the tool was reached, and there is nothing to wait for. */
function isAnswer(error: unknown): boolean {
  if (error instanceof UnknownAction || error instanceof ExternalUnavailable || isOutOfAttempts(error)) return false;
  return !(error instanceof ApplicationFailure) || (error.nonRetryable === true && error.type !== 'Mcp.Refused');
}

/** For a judge an error of the tool is an answer, too: a thrown error means that the tool could not be reached. */
export async function answerTool(
  { arguments: called, byJudge, rules }: Pick<ToolInput, 'arguments' | 'byJudge' | 'rules'>,
  check: SchemaCheck,
  call: () => Promise<ToolEnd>,
): Promise<ToolAnswer> {
  const startedAt = Date.now();
  const {
    content: whole,
    parsed,
    ...end
  } = await call().catch((error: unknown): ToolEnd => {
    if (!byJudge || Context.current().cancellationSignal.aborted || !isAnswer(error)) throw error;
    return { content: `The tool failed: ${redact(messageOf(error), { length: ERROR_CHARACTERS })}`, failed: true };
  });
  const content = shortenText(whole, TOOL_RESULT_CHARACTERS);
  const hidden = omitUndefined({ arguments: redactedArguments(called), result: redactedResult(whole) });
  return {
    content,
    ...end,
    ...(parsed !== undefined && { parsed: parsedArguments(parsed, called) }),
    measured: {
      ...measureCall(startedAt),
      ...(content !== whole && { bytes: utf8Bytes(whole) }),
      ...(Object.keys(hidden).length > 0 && { redacted: hidden }),
      ...(rules &&
        !end.invalid &&
        !end.needsApproval && { checks: await checkCall(rules, { arguments: called, result: whole }, check) }),
    },
  };
}
