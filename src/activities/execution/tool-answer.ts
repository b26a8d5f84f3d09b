import { Context } from '@temporalio/activity';
import { omitUndefined } from '../../lib/base/defined';
import { utf8Bytes } from '../../lib/json/json-bytes';
import { redact } from '../../lib/redact';
import { withoutMiddle } from '../../lib/text/middle';
import { type CallMeasurement, WHOLE_BYTES } from '../../loop/evidence/call-record';
import { shortenText, TOOL_RESULT_CHARACTERS } from '../../loop/step-state/tools';
import type { ToolAnswer } from '../protocol';

/** Returns a text as records of calls may show it; undefined if it has no secrets. */
function redactedText(text: string): string | undefined {
  const safe = redact(text, { length: Infinity });
  return safe === text ? undefined : withoutMiddle(safe, WHOLE_BYTES);
}

/** Returns the measurements of a call that this activity made, and that began at a time of `Date.now()`. */
export function measureCall(startedAt: number): CallMeasurement {
  return { startedAt, ms: Math.max(0, Date.now() - startedAt), attempt: Context.current().info.attempt };
}

/**
 * Makes the answer to a tool call: its result as the model gets it, with the measurements of the call.
 *
 * @param called the arguments, as the model wrote them
 */
export async function answerTool(
  called: string,
  call: () => Promise<{ content: string; failed: boolean }>,
): Promise<ToolAnswer> {
  const startedAt = Date.now();
  const { content: whole, failed } = await call();
  const content = shortenText(whole, TOOL_RESULT_CHARACTERS);
  const hidden = omitUndefined({ arguments: redactedText(called), result: redactedText(content) });
  return {
    content,
    failed,
    measured: {
      ...measureCall(startedAt),
      ...(content !== whole && { bytes: utf8Bytes(whole) }),
      ...(Object.keys(hidden).length > 0 && { redacted: hidden }),
    },
  };
}
