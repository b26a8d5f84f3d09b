import { isJson, type Json } from '../../json/json';
import { largeInteger, largeIntegerText } from '../../json/large-integers';
import type { ExitReason } from '../types';

export type Answer =
  | { kind: 'value'; value: Json | undefined; memoryBytes?: number }
  | { kind: 'failure'; name: string; message: string; line?: number; memoryBytes?: number }
  | { kind: 'ended'; reason: ExitReason; problem: string };

/** The bounds of a failure's texts; code that has got out of its interpreter writes the frame by itself. */
const NAME_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 4_000;

interface Shape {
  depth: number;
  values: number;
}

const FRAME: Shape = { depth: 3, values: 20 };
/** The shape of a result: as deep as JSON may be anywhere, and a little more, so that the error can name the cause. */
const RESULT: Shape = { depth: 502, values: 200_000 };

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;

/** Returns whether parsing a text of JSON would take time and memory that its size does not show, and by what. */
function excessOf(text: string, most: Shape): keyof Shape | undefined {
  let depth = 0;
  let values = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === COMMA) values += 1;
    // [ and {, then ] and }: they differ in one bit.
    else if ((code | 32) === 123) {
      depth += 1;
      values += 1;
    } else if ((code | 32) === 125) depth -= 1;
    if (depth > most.depth) return 'depth';
    if (values > most.values) return 'values';
  }
  return undefined;
}

const makeEnded = (reason: ExitReason, problem: string): Answer => ({ kind: 'ended', reason, problem });

/** Reads a line of the channel. A line that the runtime would not write is an attempt of other code to forge a result. */
export function answerOf(line: string, token: string, resultBytes: number): Answer {
  const forged = makeEnded('channel', 'it wrote to the channel of results by itself');
  if (!line.startsWith(`${token} `)) return forged;
  const frame = line.slice(token.length + 1);
  if (excessOf(frame, FRAME)) return forged;
  try {
    const answer = JSON.parse(frame) as Record<string, unknown>;
    const { memoryBytes, failure, json } = answer;
    const used = typeof memoryBytes === 'number' ? { memoryBytes } : {};
    if (typeof failure === 'object' && failure !== null) {
      const { name, message, line: at } = failure as Record<string, unknown>;
      const said = {
        name: String(name).slice(0, NAME_CHARACTERS),
        message: String(message).slice(0, MESSAGE_CHARACTERS),
      };
      return { kind: 'failure', ...said, ...(Number.isSafeInteger(at) && { line: at as number }), ...used };
    }
    if (answer['none'] === true) return { kind: 'value', value: undefined, ...used };
    return typeof json === 'string' ? resultOf(json, resultBytes, used) : forged;
  } catch {
    return forged;
  }
}

function resultOf(json: string, resultBytes: number, used: { memoryBytes?: number }): Answer {
  if (Buffer.byteLength(json) > resultBytes) return makeEnded('output', 'its result is too large');
  const tooDeep = makeEnded('output', 'its result is nested too deeply');
  const excess = excessOf(json, RESULT);
  if (excess === 'depth') return tooDeep;
  if (excess) return makeEnded('output', `its result holds more than ${RESULT.values} values`);
  const value: unknown = JSON.parse(json);
  const large = isJson(value) && largeInteger(json);
  if (large)
    return makeEnded(
      'output',
      `in its result, ${large.path === '' ? '' : `at ${large.path}, `}${largeIntegerText(large.source)}`,
    );
  if (isJson(value)) return { kind: 'value', value, ...used };
  // All else that JSON.parse gives is JSON: what is left is a number that became infinite.
  const isNumber = typeof value === 'number' || JSON.stringify(value) !== JSON.stringify(value, finite);
  return isNumber ? makeEnded('output', 'its result holds a number that is too large for JSON') : tooDeep;
}

/** Writes numbers that JSON has no form for as texts, to distinguish them from null. */
function finite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
