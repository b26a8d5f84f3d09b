import { renderCount } from '../../lib/text/counted';
import { oneLine } from '../../lib/text/summary-text';
import type { CallRecord, KeptCalls } from '../contract/calls';

/** Characters that end a line, and that JSON does not escape. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** A text with spaces before each line, so that no line of it looks like the heading of a call. */
function indent(text: string): string {
  return text.replaceAll(/^/gm, '   ');
}

/** The name of a call, in quotes if it could be taken for more than a name: agents of others choose theirs. */
function shownName(name: string): string {
  return /^[\p{L}\p{N}_.:/@#-]+$/u.test(name)
    ? name
    : JSON.stringify(oneLine(name.replaceAll(LINE_ENDS, ' '), Infinity));
}

export function callHeading({ name, arguments: given, outcome, source }: CallRecord): string {
  const called = given === undefined ? '' : ` ${JSON.stringify(given).replaceAll(LINE_ENDS, ' ')}`;
  const by = source === 'reported' ? 'reported by its agent, not recorded' : 'recorded';
  return `${shownName(name)}${called} · ${by} · ${outcome.replace('_', ' ')}`;
}

export function callLine({ name, arguments: given, result, outcome, source, person }: CallRecord): string {
  const called = given === undefined ? '' : ` ${JSON.stringify(given)}`;
  const end =
    result === undefined
      ? ''
      : ` → ${outcome === 'ok' ? '' : `${outcome.replace('_', ' ')}: `}${result.replaceAll(/\s+/g, ' ')}`;
  // First, where no long text can push it out of the line.
  const decided =
    person === undefined ? '' : `(${person.decision}${person.by === undefined ? '' : ` by ${person.by}`}) `;
  return `${source === 'reported' ? '(reported) ' : decided}${shownName(name)}${called}${end}`;
}

function callText(call: CallRecord, number: number): string {
  const { result, resultBytes } = call;
  const heading = `${number}. ${callHeading(call)}`;
  if (result === undefined)
    return resultBytes === undefined ? heading : `${heading} · result of ${renderCount(resultBytes, 'byte')} left out`;
  const size = resultBytes === undefined ? '' : ` · result of ${renderCount(resultBytes, 'byte')}, shortened`;
  return `${heading}${size}\n${indent(result)}`;
}

/** Whether a call shows more than that a step of the spec was carried out. */
function isTelling({ arguments: given, result, resultBytes, source }: CallRecord): boolean {
  return given !== undefined || result !== undefined || resultBytes !== undefined || source === 'reported';
}

export function isEvidence({ calls = [] }: KeptCalls): boolean {
  return calls.some(isTelling);
}

/** Renders calls for a prompt, the latest last. A result is indented under its call. */
export function evidenceText({ calls = [], callsOmitted = 0 }: KeptCalls): string {
  const omitted = callsOmitted > 0 ? [`(${renderCount(callsOmitted, 'earlier call')} left out)`] : [];
  const told = calls.filter(isTelling);
  return [...omitted, ...told.map((call, index) => callText(call, callsOmitted + index + 1))].join('\n');
}
