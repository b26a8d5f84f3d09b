import { NoReportError, ReflectionFailedError } from '../../loop/errors/errors';
import { BatchTally, makeBatchReport } from '../../kinds/report/batch-report';
import {
  type ChainRecord,
  type KnownLoop,
  type KnownRun,
  makeLoopReport,
  makePlanReport,
  type ReportHead,
  versionsOfAttempts,
} from '../../kinds/report/run-report';
import type { RunReport } from '../../kinds/report/contract';
import { isLoopResult } from '../../loop/versions/result';
import { pageLinesOf } from '../../kinds/batch/client/batch-lines';
import { findBatch } from '../../kinds/batch/client/batch-run';
import type { CallOptions } from '../../calls/call-options';
import { chainOf, versionsOf } from '../../calls/chain';
import { withTypedErrors } from '../../calls/errors/with-typed-errors';
import { endOf, type RunEnd } from '../../calls/run-end';
import type { Place } from '../../calls/run-kind';
import type { RunsWithProgress } from '../../calls/runs-of-kind';
import { type RunKindName, runKindOf, runsOf } from '../../kinds/list/client';
import { partsOf, type RunTarget } from '../../calls/run-target';
import { readerWithoutPayloads } from '../../calls/without-payloads';
import { readChainRecord } from './chain-record';

/** Time for a worker's answer: short, because a run that has ended is reported without a worker, too. */
const ANSWER = '8s';

interface Reported {
  place: Place;
  run: RunTarget;
  options: CallOptions;
  head: ReportHead;
  record: ChainRecord;
}

const failureOf = ({ failure }: RunEnd<unknown>) =>
  failure && { failure: { type: failure.type, message: failure.message } };

async function askIfAnswered<T>(question: (options: CallOptions) => Promise<T>, options: CallOptions) {
  try {
    return await question({ ...options, timeout: options.timeout ?? ANSWER });
  } catch {
    options.signal?.throwIfAborted();
    return undefined;
  }
}

/** Reads a loop: of one that has ended the result, with outputs that did not fit into it if a worker answers. */
async function readLoop({ place, run, options, head, record: { roles } }: Reported): Promise<KnownLoop> {
  const progressNow = (how: CallOptions) => runsOf(place, 'loop').progress(run, how);
  const versionsNow = (how: CallOptions) => versionsOf(place, run, how);
  if (head.endedAt === undefined) {
    return { progress: await progressNow(options), versions: await versionsNow(options) };
  }
  const end = await endOf<unknown>(() => runsOf(place, 'loop').result(run, options));
  if (isLoopResult(end.result)) {
    const { versions } = end.result.history;
    const isWhole = versions.length === end.result.iterationsUsed && versions.every((each) => !each.omittedBytes);
    const all = isWhole ? undefined : await askIfAnswered(versionsNow, options);
    return { result: end.result, versions: all ?? versions };
  }
  const attempts = end.failure instanceof ReflectionFailedError ? end.failure.history : [];
  const asked = end.failure === undefined || attempts.length > 0 || roles.length > 0;
  const versions = asked ? await askIfAnswered(versionsNow, options) : undefined;
  // A user's own workflow that ran a loop returns any value.
  const progress = versions && (await askIfAnswered(progressNow, options));
  return { ...failureOf(end), progress, versions: versions ?? versionsOfAttempts(attempts, head.endedAt) };
}

/**
 * The known facts of a run that is not a loop.
 * @param tellsAll whether its result has all that its progress has, so that once there is a result no worker is asked
 */
async function readRun<Result, Standing>(
  runs: Pick<RunsWithProgress<never, Result, Standing>, 'progress' | 'result'>,
  { run, options, head }: Reported,
  { tellsAll }: { tellsAll: boolean },
): Promise<KnownRun<Result, Standing>> {
  const progressNow = (how: CallOptions) => runs.progress(run, how);
  if (head.endedAt === undefined) return { progress: await progressNow(options) };
  const end = await endOf(() => runs.result(run, options));
  const { result } = end;
  const progress = result && tellsAll ? undefined : await askIfAnswered(progressNow, options);
  return { ...(result && { result }), ...failureOf(end), progress };
}

/** Counts the items of a batch. Those of a page that is gone, or for which no worker answers, are left out. */
async function tallyOf({ place: { temporal }, run, options }: Reported): Promise<BatchTally> {
  const { workflowId } = partsOf(run);
  const tally = new BatchTally();
  const known = await findBatch(temporal, workflowId, 'report', options);
  if (!known) return tally;
  for (let page = 0; page < known.pages; page += 1) {
    const answer = await askIfAnswered(
      async (how) => ({ lines: await pageLinesOf(temporal, workflowId, known, page, how) }),
      options,
    );
    // No worker answers for the next page either.
    if (!answer) break;
    for (const line of answer.lines ?? []) tally.add(line);
  }
  return tally;
}

type Report = (reported: Reported) => Promise<RunReport>;

/** Makers of reports, by kind of run; each report is a shape of `src/kinds/report/contract.ts`. */
const REPORTS: Partial<Record<RunKindName, Report>> = {
  loop: async (reported) => makeLoopReport(reported.head, reported.record, await readLoop(reported)),
  async plan(reported) {
    const known = await readRun(runsOf(reported.place, 'plan'), reported, { tellsAll: false });
    return makePlanReport(reported.head, reported.record, known);
  },
  async batch(reported) {
    const tally = await tallyOf(reported);
    const known = await readRun(runsOf(reported.place, 'batch'), reported, { tellsAll: true });
    return makeBatchReport(reported.head, reported.record, known, tally);
  },
};

/** Returns the report of a run. A user's own workflow is reported as the loop that it may run. */
export async function reportRun(place: Place, run: RunTarget, options: CallOptions): Promise<RunReport> {
  const { temporal } = place;
  const { workflowId } = partsOf(run);
  const question = { method: 'report', run };
  const chain = await chainOf(place, question, options);
  const describe = async (runId: string | undefined) =>
    withTypedErrors(temporal, { method: 'report', kind: 'question', workflowId }, options, () =>
      readerWithoutPayloads(temporal).getHandle(workflowId, runId).describe(),
    );
  const { type, status, closeTime, runId } = await describe(chain.at(-1));
  const kind = runKindOf(type) ?? 'loop';
  const report = REPORTS[kind];
  if (!report) throw new NoReportError(workflowId, kind);
  const { startTime } = chain.length > 1 ? await describe(chain[0]) : await describe(runId);
  const head: ReportHead = {
    workflowId,
    runId,
    type,
    status: status.name,
    startedAt: startTime.toISOString(),
    ...(closeTime && { endedAt: closeTime.toISOString() }),
    runs: chain.length,
  };
  const record = await readChainRecord(place, workflowId, chain, options);
  return report({ place, run, options, head, record });
}
