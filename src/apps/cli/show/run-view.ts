import type { ReflectionClient, RunReference } from '../../../client';
import { type PartsFollowed, followParts } from '../follow/follow-parts';
import type { RunDescription } from './describe-run';
import { inspectRun, type Known, type RunsShown } from './inspect-run';
import { failureJson, failureLine, retryingLines, runHead } from './run-head';
import { CliError } from '../support/cli-error';
import { seconds } from '../views/printable';

export interface Finish {
  result: unknown;
  text: string;
  /** Whether what it made is good enough; `error`: it could not go on. */
  outcome: 'success' | 'notGoodEnough' | 'error';
}

export interface ShownPart {
  json?: boolean;
  output?: boolean;
  /** True: the calls of all versions; a number: those of one. */
  calls?: true | number;
}

export interface RunView<Spec> {
  shown(client: ReflectionClient, run: RunDescription, part: ShownPart): Promise<string>;
  /**
   * Words that name what ends along with a run that is cancelled, after the word "cancelled". Undefined for a kind whose runs
   * take `abort`, as loops do.
   */
  cancelled?: string;
  /** The part of the run that a loop inside of it works for; the loop's id is that of the run, followed by the id of the part. */
  part?: 'node' | 'task';
  /** Returns the name of a file's contents in the first line of `reflect run`. Undefined for a kind that no file is run as. */
  name?(spec: Spec): string;
  notRun?(file: string): [message: string, advice: string];
  follow(client: ReflectionClient, run: RunReference, news: NodeJS.WriteStream, signal: AbortSignal): Promise<Finish>;
}

interface RunTexts<Result, Progress> {
  /** The user-facing name of the kind, where its workflow's name says too little; `--json` then names that, too. */
  label?: string;
  resultName?: string;
  /** True if a run that has ended is queried for its result alone. Default: for its progress, too. */
  endSaysAll?: boolean;
  about?(progress: Progress | undefined): string;
  output(known: Known<Result, Progress>): string | undefined;
  noOutput(status: string): [message: string, advice: string];
  resultText(result: Result, progress: Progress | undefined): string;
  /** `elapsed` counts from the beginning of the run; undefined when it has failed. */
  standing(progress: Progress, run: { workflowId: string; elapsed?: string }): string[];
}

export function makeShow<Result, Progress>(
  runsOf: (client: ReflectionClient) => RunsShown<Result, Progress>,
  texts: RunTexts<Result, Progress>,
): RunView<never>['shown'] {
  return async (client, run, part) => {
    const { workflowId, runId, type, startedAt } = run;
    if (part.calls !== undefined) {
      const advice = 'Its loops are runs of their own: look at one of them.';
      throw new CliError('NoLoop', `The run "${workflowId}" is no loop, and has no versions.`, advice);
    }
    const known = await inspectRun(client, run, runsOf(client), texts.endSaysAll);
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
    // No worker answers for a run that ended long ago.
    if (progress === undefined && run.status !== 'RUNNING') {
      return [...head, ...(failure ? [failureLine(failure)] : [])].join('\n');
    }
    const elapsed = failure ? undefined : seconds(Date.now() - startedAt.getTime());
    const failed = failure ? [failureLine(failure), ''] : [];
    const standing = texts.standing(progress as Progress, { workflowId, elapsed });
    return [...head, ...failed, ...retryingLines(progress), ...standing].join('\n');
  };
}

export function makeFollow<Result, Progress>(
  runsOf: (client: ReflectionClient) => Required<RunsShown<Result, Progress>>,
  parts: Omit<PartsFollowed<Progress>, 'workflowId' | 'look'> & {
    isGood(result: Result): boolean;
    resultText: RunTexts<Result, Progress>['resultText'];
  },
): RunView<never>['follow'] {
  return async (client, { workflowId }, news, signal) => {
    const runs = runsOf(client);
    const followed = { ...parts, workflowId, look: () => runs.progress(workflowId) };
    const { result, progress } = await followParts(client, runs.result(workflowId), followed, news, signal);
    const outcome = parts.isGood(result) ? 'success' : 'notGoodEnough';
    return { result, text: parts.resultText(result, progress), outcome };
  };
}
