import type { ReflectionClient, RunReference } from '../../client';
import type { RunKind } from '../../client/kinds/run-kind';
import { type PartsFollowed, followParts } from '../follow/follow-parts';
import type { RunDescription } from '../show/describe-run';
import { inspectRun, type Known } from '../show/inspect-run';
import { failureJson, failureLine, retryingLines, runHead } from '../show/run-head';
import { CliError } from '../support/cli-error';
import { seconds } from '../views/printable';

/** How a run ended that somebody followed. */
export interface Finish {
  result: unknown;
  /** The same for people. */
  text: string;
  /** Whether what it made is good enough; `error`: it could not go on. */
  outcome: 'success' | 'notGoodEnough' | 'error';
}

/** Which part of a run `reflect show` prints. */
export interface ShownPart {
  json?: boolean;
  output?: boolean;
}

/** What the commands do with runs of a kind. */
export interface RunView<Spec> {
  /** What `reflect show` prints. */
  shown(client: ReflectionClient, run: RunDescription, part: ShownPart): Promise<string>;
  /** What ends along with a run that is cancelled, behind the word. Absent where a run takes `abort`, as loops do. */
  cancelled?: string;
  /** What a loop in it is a run of, named by its id behind that of the run. */
  part?: 'node' | 'task';
  /** What people call what a file holds, in the first line of `reflect run`. Absent where no file of the kind is run. */
  name?(spec: Spec): string;
  /** Says what happens, until the run ends. */
  follow(client: ReflectionClient, run: RunReference, news: NodeJS.WriteStream, signal: AbortSignal): Promise<Finish>;
}

/** What is said of a run, beside how it failed. */
export interface RunTexts<Result, Progress> {
  /** What people call it, where its workflow's name says too little; `--json` then names that, too. */
  label?: string;
  /** The result's name in `--json`. Default: `result`. */
  resultName?: string;
  /** A run that has ended is asked for its result alone. Default: for its progress, too. */
  endSaysAll?: boolean;
  /** A line about a run, whatever became of it. */
  about?(progress: Progress | undefined): string;
  /** What `--output` prints; undefined where there is none. */
  output(known: Known<Result, Progress>): string | undefined;
  /** Why there is none. @param status of the run, in lower case */
  noOutput(status: string): [message: string, advice: string];
  resultText(result: Result, progress: Progress | undefined): string;
  /** Where a run without a result stands. @param elapsed since it began; absent when it has failed */
  standing(progress: Progress, run: { workflowId: string; elapsed?: string }): string[];
}

/** Shows runs of a kind by its texts. */
export function shownBy<Spec, Result, Progress>(
  kind: RunKind<Spec, Result, Progress>,
  texts: RunTexts<Result, Progress>,
): RunView<Spec>['shown'] {
  return async (client, run, part) => {
    const { workflowId, runId, type, startedAt } = run;
    const known = await inspectRun(client, run, kind, texts.endSaysAll);
    const { result, failure, progress } = known;
    if (part.output) {
      const output = texts.output(known);
      if (output === undefined) throw new CliError('NoOutput', ...texts.noOutput(run.status.toLowerCase()));
      return output;
    }
    if (part.json) {
      const { label, resultName = 'result' } = texts;
      const about = { workflowId, runId, ...(label ? { type } : {}), status: run.status };
      return JSON.stringify({ ...about, progress, [resultName]: result, ...failureJson(failure) }, null, 2);
    }
    const head = runHead(client, run, texts.label, texts.about?.(progress));
    if (result !== undefined) return [...head, texts.resultText(result, progress)].join('\n');
    // Nobody answers for a run that ended long ago.
    if (progress === undefined && run.status !== 'RUNNING') {
      return [...head, ...(failure ? [failureLine(failure)] : [])].join('\n');
    }
    const elapsed = failure ? undefined : seconds(Date.now() - startedAt.getTime());
    const failed = failure ? [failureLine(failure), ''] : [];
    const standing = texts.standing(progress as Progress, { workflowId, elapsed });
    return [...head, ...failed, ...retryingLines(progress), ...standing].join('\n');
  };
}

/** Follows runs of a kind, part by part. */
export function followedBy<Spec, Result, Progress>(
  kind: RunKind<Spec, Result, Progress>,
  {
    question,
    ...parts
  }: Omit<PartsFollowed<Progress>, 'workflowId' | 'look'> & {
    /** The argument of the query that asks where a run stands. */
    question?: unknown;
    isGood(result: Result): boolean;
    resultText: RunTexts<Result, Progress>['resultText'];
  },
): RunView<Spec>['follow'] {
  return async (client, { workflowId }, news, signal) => {
    const look = () => kind.progress(client, workflowId, {}, ...(question === undefined ? [] : [question]));
    const followed = { ...parts, workflowId, look };
    const ended = kind.result(client, workflowId, {});
    const { result, progress } = await followParts(client, ended, followed, news, signal);
    const outcome = parts.isGood(result) ? 'success' : 'notGoodEnough';
    return { result, text: parts.resultText(result, progress), outcome };
  };
}
