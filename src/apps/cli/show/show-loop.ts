import pc from 'picocolors';
import type { ReflectionClient } from '../../../client';
import { endOf } from '../../../calls/run-end';
import { runsOf } from '../../../kinds/list/client';
import { ReflectionFailedError } from '../../../loop/errors/errors';
import { type Json, textOf } from '../../../lib/json/json';
import { describePhase } from '../../../loop/page/progress';
import type { Progress, ReflectionResult, PersonEntry } from '../../../loop/contract/results';
import { isLoopResult } from '../../../loop/versions/result';
import { scoreText } from '../../../lib/text/summary-text';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { followAny, type Listener } from '../follow/follow';
import { ask } from '../support/ask';
import { CliError } from '../support/cli-error';
import { StatusLine } from '../terminal/status-line';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import type { RunView, ShownPart } from './run-view';
import type { RunDescription } from './describe-run';
import { whyNoAnswer } from '../support/pollers';
import { type Known, noAnswer, noLoop, servesNoLoop } from './inspect-run';
import { callLines, proofLines, wholeCalls } from '../views/calls-view';
import { count, printable, seconds, oneLine } from '../views/printable';
import { reportText } from '../views/report-view';
import { costText, handedBackText, resultText, versionTable } from '../views/result-view';
import { failureJson, failureLine, retryingLines, runHead } from './run-head';
import { issueText, versionLines } from '../views/version-lines';
import { versionUnderReview, waitingLines } from '../views/waiting-view';
import { fateOf, wordsOf } from '../../../loop/state/command-log';

const SHOWN = 10;
const LENGTH = 160;

export function peopleText(people: readonly PersonEntry[]): string[] {
  if (people.length === 0) return [];
  const hidden = Math.max(0, people.length - SHOWN);
  const lines = people.slice(hidden).map((entry) => {
    const words = wordsOf(entry);
    const said = words === undefined ? '' : `, "${oneLine(words, LENGTH)}"`;
    const who = entry.by === undefined ? '' : ` by ${oneLine(entry.by, LENGTH)}`;
    return `  ${entry.at}  ${oneLine(entry.name, LENGTH)}${who} (${entry.via}) ${oneLine(fateOf(entry), LENGTH)}${said}`;
  });
  return ['', 'What people sent:', ...(hidden > 0 ? [`  (${hidden} earlier)`] : []), ...lines];
}

/** The known facts about a loop: its result once it has one, else the progress that its worker reports. */
interface KnownLoop extends Known<ReflectionResult, Progress> {
  versions: ReflectionVersion[];
  /** The return value of a user's own workflow, which ran a loop inside of it or none at all. */
  handedBack?: Json;
}

const PATIENCE = { timeoutMs: 8_000 };

async function loopShown(
  client: ReflectionClient,
  description: RunDescription,
  { output, json, calls }: ShownPart,
): Promise<string> {
  const known = await lookAtLoop(client, description).catch((error: unknown) => {
    if (!(error instanceof CliError && error.type === 'NoAnswer') || output || json || calls || !description.kept)
      throw error;
    return undefined;
  });
  if (!known) return keptText(client, description, description.kept!);
  if (output) return textOf(bestOutput(known));
  if (calls !== undefined) return callsShown(known.versions, calls, json);
  return json ? JSON.stringify(jsonOf(description, known), null, 2) : page(client, description, known);
}

function callsShown(versions: readonly ReflectionVersion[], which: true | number, json = false): string {
  const shown = versions.filter(({ iteration }) => which === true || iteration === which);
  if (shown.length === 0 && which !== true) {
    throw new CliError('NoVersion', `The run has no version ${which}.`, 'Look at the run without --calls.');
  }
  const lists = shown.map(({ iteration, calls = [], callsOmitted, evaluation }) => {
    const { calls: ofJudges } = evaluation;
    return { iteration, calls, callsOmitted, ofJudges };
  });
  return json ? JSON.stringify(lists, null, 2) : wholeCalls(shown);
}

/** Renders what the server keeps of a run that no worker answers for. */
async function keptText(
  client: ReflectionClient,
  description: RunDescription,
  kept: readonly string[],
): Promise<string> {
  const why = await whyNoAnswer(client, description.taskQueue);
  const note = `Nobody answers for the run; this is what it kept when it last waited or went on. ${why}`;
  return [...runHead(client, description), ...kept.map(printable), '', pc.yellow(note)].join('\n');
}

async function lookAtLoop(
  client: ReflectionClient,
  { workflowId, running, taskQueue, type }: RunDescription,
): Promise<KnownLoop> {
  if (!running) {
    const end = await endOf(() => runsOf(client, 'loop').result(workflowId));
    if (isLoopResult(end.result)) return { ...end, versions: end.result.history.versions };
    const versions = (await ask(client, () => client.history(workflowId), PATIENCE)) ?? [];
    if (end.failure) return { ...end, versions };
    const progress = versions.length > 0 ? await ask(client, () => client.progress(workflowId), PATIENCE) : undefined;
    const handedBack = (end.result ?? null) as Json;
    return { versions, handedBack, progress };
  }
  let refusal: unknown;
  const progress = await ask(client, () => client.progress(workflowId), {
    ...PATIENCE,
    onError: (error) => (refusal = error),
  });
  if (!progress) throw servesNoLoop(refusal) ? noLoop(workflowId, type) : await noAnswer(client, taskQueue);
  return { progress, versions: (await ask(client, () => client.history(workflowId), PATIENCE)) ?? [] };
}

function bestOutput({ result, progress, versions, failure }: KnownLoop) {
  if (result?.history.bestIteration != null) {
    // A large one is stored in the result once.
    const { bestIteration, finalIteration } = result.history;
    return bestIteration === finalIteration ? result.finalOutput : result.bestOutput;
  }
  // Of a run that waits, the version that is decided about.
  const wanted = versionUnderReview(progress?.waitingFor) ?? progress?.best?.iteration;
  const best = versions.find(({ iteration }) => iteration === wanted) ?? versions.at(-1);
  if (best) return best.output;
  const attempt = failure instanceof ReflectionFailedError ? failure.history.at(-1) : undefined;
  if (attempt) return attempt.output;
  throw new CliError('NoOutput', 'The run has no judged output.', 'Look at the run without --output.');
}

function jsonOf(description: RunDescription, { result, failure, progress, versions, handedBack }: KnownLoop) {
  const { workflowId, runId, status } = description;
  return {
    workflowId,
    runId,
    status,
    ...(progress ? { progress, versions } : {}),
    ...(result ? { result } : {}),
    ...(handedBack === undefined ? {} : { result: handedBack }),
    ...(failure ? { ...failureJson(failure), versions } : {}),
  };
}

function page(client: ReflectionClient, description: RunDescription, known: KnownLoop): string {
  const { workflowId, startedAt } = description;
  const head = runHead(client, description);
  if (known.result) {
    const report = reportText(known.result);
    const shown = report.length > 0 ? ['', ...report] : [];
    return [
      ...head,
      resultText(known.result),
      ...lastIssues(known.versions.at(-1)),
      ...proofLines(known.versions.at(-1)),
      ...callLines(known.versions.at(-1), workflowId),
      ...shown,
      ...peopleText(known.result.history.people),
    ].join('\n');
  }
  const best = known.progress?.best?.iteration ?? null;
  const table =
    known.versions.length > 0
      ? [
          versionTable(known.versions, best),
          ...lastIssues(known.versions.at(-1)),
          ...proofLines(known.versions.at(-1)),
          ...callLines(known.versions.at(-1), workflowId),
        ]
      : [];
  if (known.failure) return [...head, failureLine(known.failure), ...table].join('\n');
  if (known.handedBack !== undefined) {
    const above = table.length > 0 ? [...table, ''] : [];
    return [...head, ...above, handedBackText(known.handedBack)].join('\n');
  }
  const progress = known.progress!;
  const stands = [...retryingLines(progress), describeProgress(progress, startedAt)];
  return [...head, ...stands, ...renderWait(known, workflowId), '', ...table].join('\n');
}

function describeProgress(progress: Progress, startedAt: Date): string {
  const { phase, iteration, maxIterations, best, tokenUsage, waitingFor } = progress;
  return [
    describePhase(phase, versionUnderReview(waitingFor) ?? iteration, waitingFor?.waits !== undefined),
    // Not known before the spec was checked; a person's own versions come on top.
    ...(maxIterations === 0 ? [] : [`the loop makes at most ${count(maxIterations, 'version')}`]),
    best ? `best: version ${best.iteration} with ${scoreText(best.score)}` : 'no version judged yet',
    seconds(Date.now() - startedAt.getTime()),
    costText(tokenUsage),
  ].join(' · ');
}

function renderWait({ progress, versions }: KnownLoop, workflowId: string): string[] {
  const { waitingFor } = progress ?? {};
  return waitingFor ? ['', ...waitingLines(waitingFor, workflowId, versions)] : [];
}

function lastIssues(last: ReflectionVersion | undefined): string[] {
  if (!last || last.evaluation.issues.length === 0) return [];
  const { issues } = last.evaluation;
  return [
    '',
    `${count(issues.length, 'issue')} of version ${last.iteration}:`,
    ...issues.map((issue) => `  ✗ ${issueText(issue, 300)}`),
  ];
}

/** Writes the events of a run to a stream as they happen; on a terminal, with a line that shows what the run does now. */
export function liveView(stream: NodeJS.WriteStream): Listener & { clear(): void } {
  const line = new StatusLine(stream);
  line.show('starting', undefined);
  return {
    clear: () => line.close(),
    onVersion: (version, before) => line.write(versionLines(version, before)),
    onNotice: (text) => line.write([pc.yellow(text)]),
    onWait: (lines) => line.write(lines),
    ...(line.isLive && { onText: (text: string) => line.showText(text) }),
    onProgress: ({ phase, iteration, tokenUsage }) => line.show(describePhase(phase, iteration), tokenUsage),
  };
}

export const loopView: RunView<ReflectionSpec> = {
  shown: loopShown,
  name: (spec) => spec.name ?? 'reflection',
  async follow(client, run, news, signal) {
    const view = liveView(news);
    const result = await followAny(client, run, view, signal).finally(() => view.clear());
    if (!isLoopResult(result)) return { result, text: handedBackText(result as Json), outcome: 'success' };
    const failed = result.convergenceReason === 'error' ? 'error' : 'notGoodEnough';
    return { result, text: resultText(result), outcome: result.success ? 'success' : failed };
  },
};
