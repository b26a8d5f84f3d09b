import pc from 'picocolors';
import { textOf } from '../../../lib/json/json';
import type { CallRecord, KeptCalls } from '../../../loop/contract/calls';
import { callLine } from '../../../loop/evidence/evidence-text';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { count, oneLine, printable } from './printable';

const SHOWN = 8;

const MARKS: Record<CallRecord['outcome'], string> = {
  ok: pc.green('✓'),
  error: pc.red('✗'),
  not_made: pc.dim('–'),
};

function omittedText({ callsOmitted = 0 }: KeptCalls): string[] {
  return callsOmitted > 0 ? [pc.dim(`  ${count(callsOmitted, 'older call')} left out`)] : [];
}

function linesOf(kept: KeptCalls): string[] {
  const { calls = [] } = kept;
  const left = calls.length - SHOWN;
  return [
    ...omittedText(kept),
    ...(left > 0 ? [pc.dim(`  ${count(left, 'earlier one')}`)] : []),
    ...calls.slice(-SHOWN).map((call) => `  ${MARKS[call.outcome]} ${oneLine(callLine(call))}`),
  ];
}

export function callLines(version: ReflectionVersion | undefined, workflowId: string): string[] {
  if (!version) return [];
  const { calls = [], iteration, evaluation } = version;
  const whole = `whole: npx reflect show ${workflowId} --calls ${iteration}`;
  const byJudges = evaluation.calls?.length ?? 0;
  return [
    ...(calls.length === 0
      ? []
      : ['', `${count(calls.length, 'call')} of version ${iteration} (${whole}):`, ...linesOf(version)]),
    ...(byJudges === 0
      ? []
      : [
          '',
          `${count(byJudges, 'call')} of its judges${calls.length === 0 ? ` (${whole})` : ''}:`,
          ...linesOf(evaluation),
        ]),
  ];
}

/** Renders each criterion that a call has to prove with the record that does, in a line; nothing if there are none. */
export function proofLines(version: ReflectionVersion | undefined): string[] {
  const { proofs = [] } = version?.evaluation ?? {};
  if (proofs.length === 0) return [];
  const lines = proofs.map(({ criterion, claim, record }) => {
    const said = oneLine(claim === undefined ? criterion : `${criterion}: ${claim}`);
    return record === undefined ? `  ${MARKS.error} ${said} ← unproven` : `  ${MARKS.ok} ${said} ← ${oneLine(record)}`;
  });
  return ['', `${count(proofs.length, 'claim')} of version ${version!.iteration}, and what proves it:`, ...lines];
}

function wholeCall(call: CallRecord, index: number): string[] {
  const { name, arguments: given, result, resultBytes, outcome, source, startedAt, endedAt, attempt } = call;
  const facts = [
    outcome,
    source,
    ...(startedAt === undefined ? [] : [`${startedAt} to ${endedAt ?? '?'}`]),
    ...(attempt === undefined || attempt === 1 ? [] : [`attempt ${attempt}`]),
    ...(resultBytes === undefined ? [] : [`result of ${count(resultBytes, 'byte')}, shortened`]),
  ];
  return [
    '',
    pc.bold(`${index + 1}. ${oneLine(name)}`) + pc.dim(` · ${facts.join(' · ')}`),
    ...(given === undefined ? [] : [printable(textOf(given))]),
    ...(result === undefined ? [] : [pc.dim('→'), printable(result)]),
  ];
}

function wholeList(title: string, kept: KeptCalls): string[] {
  const { calls = [], callsOmitted = 0 } = kept;
  if (calls.length + callsOmitted === 0) return [];
  return [pc.bold(`${title}: ${count(calls.length, 'call')}`), ...omittedText(kept), ...calls.flatMap(wholeCall), ''];
}

export function wholeCalls(versions: readonly ReflectionVersion[]): string {
  const lines = versions.flatMap((version) => [
    ...wholeList(`Version ${version.iteration}`, version),
    ...wholeList(`Judges of version ${version.iteration}`, version.evaluation),
  ]);
  return lines.length === 0 ? 'No calls were made.' : lines.join('\n').trimEnd();
}
