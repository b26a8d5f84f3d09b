import type { Json, JsonObject } from '../../lib/json/json';
import { jsonOrText } from '../../lib/json/json-or-text';
import { renderCount, renderCountAre } from '../../lib/text/counted';
import { cutText } from '../../lib/text/summary-text';
import { shownText } from '../../lib/names/protocol-text';
import type { CallRecord } from '../../loop/contract/calls';
import { checkKey, type NamedCall } from '../../loop/evidence/call-rules';
import { WHOLE_BYTES } from '../../loop/evidence/call-record';
import { coversOutput, lacksArguments } from './call-output';

/** The result of a check by a schema: the first problem, or why the check could not be made; undefined if the value fits. */
export type SchemaProblem = { problem: string; isUnknown?: true } | undefined;

export type SchemaCheck = (schema: JsonObject | boolean, value: Json) => Promise<SchemaProblem>;

export interface Finding {
  message: string;
  suggestion: string;
  /** The records do not show whether the rule holds. */
  isUnknown?: true;
}

/** The calls among which a rule looks, the oldest first. */
export interface Evidence {
  calls: readonly CallRecord[];
  /** Number of older calls that are not there any more. */
  omitted: number;
}

export interface Compared {
  output: Json;
  check: SchemaCheck;
}

const SHOWN = 80;

/** Whether the action of a call was called: a refused call, or one with invalid arguments, did nothing. */
export function isMade({ outcome }: CallRecord): boolean {
  return outcome !== 'not_made';
}

const NOT_KEPT = 'is not kept any more';
const KEEP_LESS = 'Make fewer calls, with shorter arguments and results.';

async function misfitOfArguments(
  record: CallRecord,
  schema: JsonObject | boolean,
  check: SchemaCheck,
): Promise<Finding | undefined> {
  const { name, arguments: given } = record;
  const checked = record.checks?.[checkKey('arguments', schema)];
  if (checked === true) return undefined;
  const suggestion = `Call ${name} with the arguments that are required.`;
  if (given === undefined || lacksArguments(record, schema)) {
    if (checked === false) return { message: `${name} was not called with what is required`, suggestion };
    const why = given === undefined ? NOT_KEPT : 'is not kept whole, so that it cannot be checked';
    return { message: `what ${name} was called with ${why}`, suggestion: KEEP_LESS, isUnknown: true };
  }
  const found = await check(schema, given);
  return (
    found && {
      ...(found.isUnknown && { isUnknown: true }),
      message: `${name} was not called with what is required: ${found.problem}`,
      suggestion,
    }
  );
}

async function misfitOfResult(
  { name, result, resultBytes, altered, checks }: CallRecord,
  schema: JsonObject | boolean,
  check: SchemaCheck,
): Promise<Finding | undefined> {
  const checked = checks?.[checkKey('result', schema)];
  if (checked === true) return undefined;
  const suggestion = `Change the output until ${name} returns what is required.`;
  if (resultBytes !== undefined || result === undefined || altered?.includes('result')) {
    if (checked === false) return { message: `${name} did not return what is required`, suggestion };
    const isLong = (resultBytes ?? 0) > WHOLE_BYTES;
    return {
      message: `the result of ${name} ${isLong ? `has ${resultBytes} bytes, and is not kept whole` : result === undefined ? NOT_KEPT : 'is not kept as it was'}, so that it cannot be checked`,
      suggestion: isLong ? `Let ${name} return less: results of up to 4 KiB are kept whole.` : KEEP_LESS,
      isUnknown: true,
    };
  }
  const found = await check(schema, jsonOrText(result));
  return (
    found && {
      ...(found.isUnknown && { isUnknown: true }),
      message: `${name} did not return what is required: ${found.problem}`,
      suggestion,
    }
  );
}

async function misfitOf(
  record: CallRecord,
  { arguments: ofArguments, result: ofResult }: NamedCall,
  check: SchemaCheck,
): Promise<Finding | undefined> {
  const misfit = ofArguments === undefined ? undefined : await misfitOfArguments(record, ofArguments, check);
  return misfit ?? (ofResult === undefined ? undefined : misfitOfResult(record, ofResult, check));
}

async function misfitOfRequired(
  record: CallRecord,
  rule: NamedCall,
  { output, check }: Compared,
): Promise<Finding | undefined> {
  const { name, source, outcome, result } = record;
  if (source === 'reported' && rule.reported !== true) {
    const message = `${name} was not called as far as is recorded: an agent only reports that it was`;
    return { message, suggestion: `Let the loop make the call of ${name}, which records it.` };
  }
  if (outcome !== 'ok') {
    const said = result === undefined ? '' : `: ${cutText(shownText(result), SHOWN)}`;
    const how = isMade(record) ? 'was called, and failed' : 'was not called in the end';
    return { message: `${name} ${how}${said}`, suggestion: `Call ${name} so that it succeeds.` };
  }
  if (rule.covers !== undefined) {
    const covers = coversOutput(record, rule.covers, output);
    if (covers === undefined)
      return { message: `what ${name} was called with ${NOT_KEPT}`, suggestion: KEEP_LESS, isUnknown: true };
    if (!covers) {
      const at = rule.covers === '' ? '' : ` (at ${rule.covers})`;
      const message = `${name} was called with something else than the output${at}`;
      return { message, suggestion: `Call ${name} with exactly what is the output in the end.` };
    }
  }
  return misfitOf(record, rule, check);
}

/** Adds to a finding that older calls are left out, among which the call may be. */
function withOmitted(finding: Finding, { omitted }: Evidence): Finding {
  if (omitted === 0) return finding;
  return { ...finding, message: `${finding.message} (${renderCountAre(omitted, 'older call')} not kept any more)` };
}

/** The newest required call, or why there is none, by the newest of that name. Only calls that succeeded count. */
export async function requiredCall(
  rule: NamedCall,
  evidence: Evidence,
  compared: Compared,
  mayNotFollow: (record: CallRecord) => boolean,
): Promise<{ found: CallRecord } | { missing: Finding }> {
  const { name } = rule;
  let nearest: Finding | undefined;
  for (const [index, record] of [...evidence.calls.entries()].toReversed()) {
    if (record.name !== name) continue;
    const misfit = await misfitOfRequired(record, rule, compared);
    nearest ??= misfit;
    if (misfit) continue;
    const later = evidence.calls.slice(index + 1).find(mayNotFollow);
    if (!later) return { found: record };
    const early = {
      message: `${name} was called too early: ${later.name} was called after it`,
      suggestion: `Call ${name} again after the last call of ${later.name}.`,
    };
    return { missing: nearest ?? early };
  }
  const never: Finding = {
    message: `${name} was not called`,
    suggestion: `Call ${name}, and state only what it returned.`,
  };
  const { isUnknown: _unknown, ...finding } = nearest ?? never;
  return { missing: withOmitted(finding, evidence) };
}

export async function barredCall(
  rule: NamedCall,
  { calls, omitted }: Evidence,
  check: SchemaCheck,
): Promise<Finding | undefined> {
  const { name } = rule;
  let unknown: Finding | undefined;
  for (const record of calls) {
    if (record.name !== name || !isMade(record)) continue;
    const misfit = await misfitOf(record, rule, check);
    if (misfit?.isUnknown) unknown ??= misfit;
    if (misfit) continue;
    const isSome = rule.arguments !== undefined || rule.result !== undefined;
    return {
      message: `${name} was called${isSome ? ' in a way' : ''}, which is not allowed`,
      suggestion: `Do without this call of ${name}.`,
    };
  }
  return unknown ?? unknownIfOmitted(name, omitted);
}

function unknownIfOmitted(name: string, omitted: number): Finding | undefined {
  if (omitted === 0) return undefined;
  const message = `${renderCountAre(omitted, 'older call')} not kept any more, and may be of ${name}`;
  return { message, suggestion: KEEP_LESS, isUnknown: true };
}

export function tooManyCalls(name: string, most: number, { calls, omitted }: Evidence): Finding | undefined {
  const made = calls.filter((record) => record.name === name && isMade(record)).length;
  if (made <= most) return unknownIfOmitted(name, omitted);
  return {
    message: `${name} was called ${renderCount(made, 'time')}, and may be called ${renderCount(most, 'time')} at most`,
    suggestion: `Call ${name} less often.`,
  };
}

export function misplacedCall(order: readonly string[], evidence: Evidence): Finding | undefined {
  const made = evidence.calls.filter(({ outcome, source }) => outcome === 'ok' && source === 'recorded');
  let from = 0;
  for (const [place, name] of order.entries()) {
    const index = made.findIndex((record, at) => at >= from && record.name === name);
    if (index >= 0) {
      from = index + 1;
      continue;
    }
    const before = order[place - 1];
    const wasCalled = made.some((record) => record.name === name);
    const afterIt = before === undefined ? '' : ` after ${before}`;
    return withOmitted(
      {
        message: wasCalled
          ? `${name} was called too early: it must come${afterIt}`
          : `${name} was not called${afterIt}`,
        suggestion: `Call ${name}${afterIt}.`,
      },
      evidence,
    );
  }
  return undefined;
}
