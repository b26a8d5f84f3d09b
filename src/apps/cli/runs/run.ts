import type { ReflectionClient, RunReference } from '../../../client';
import type { RunsOfKind } from '../../../calls/runs-of-kind';
import { runsOf } from '../../../kinds/list/client';
import type { JsonObject } from '../../../lib/json/json';
import type { TemporalOverrides } from '../../../lib/config';
import type { ReflectionFile } from '../../yaml';
import { followToEnd } from '../follow/follow-to-end';
import type { RunView } from '../show/run-view';
import { RUN_VIEWS } from '../kinds/list/views';
import { attachFiles } from '../support/attached-files';
import { announceRun } from '../support/web-ui';
import { CliError } from '../support/cli-error';
import { withClient } from '../support/connect';
import { EXIT } from '../support/exit-codes';
import { startWithId } from '../support/run-id';
import { readRunFile, readState, tellWarnings } from '../support/run-input';
import { lookOrRename, startError, withFileLocation } from '../support/with-file-location';
import { writeData, writeJson } from '../terminal/say';

export interface RunOptions extends TemporalOverrides {
  /** Values in place of those of the file, such as `max_iterations=5`. */
  set?: string[];
  state: string[];
  stateFile: string[];
  attach?: string[];
  workflowId?: string;
  json?: boolean;
  strict?: boolean;
  detach?: boolean;
  local?: boolean;
}

type RunnableFile = Exclude<ReflectionFile, { kind: 'config' }>;

/** `reflect run`: starts a file's loop, pipeline or plan and follows it to its end. Returns the exit code. */
export async function run(file: string, { workflowId, detach, json = false, ...options }: RunOptions): Promise<number> {
  const read = forReaders(runnable(await readRunFile(file, options.set)), !json && !detach);
  const state = await readState(options.stateFile, options.state);
  const attached = Object.fromEntries((options.attach ?? []).map((each) => [each.split('=', 1)[0]!, null]));
  tellWarnings(read, { state: { ...state, ...attached }, strict: options.strict, isWhole: true });
  return withClient(options, async (client) => {
    const given = { ...state, ...(await attachFiles(client, options.attach ?? [])) };
    const spec =
      Object.keys(given).length === 0
        ? read.spec
        : { ...read.spec, state: { ...(read.spec as { state?: JsonObject }).state, ...given } };
    const id = { asked: workflowId, name: nameOf({ kind: read.kind, spec }), otherwise: read.kind };
    const runs: RunsOfKind<unknown, unknown, unknown> = runsOf(client, read.kind);
    const starting = startWithId(id, (start) => runs.start(spec, start));
    const started = await starting.catch((error: unknown) => {
      throw startError(error, read, lookOrRename);
    });
    const reference = { workflowId: started.workflowId, runId: started.runId };
    if (!detach) return follow(client, reference, read, json);
    if (json) writeJson(reference);
    else writeData(reference.workflowId);
    return EXIT.success;
  });
}

function viewOf(kind: RunnableFile['kind']): RunView<unknown> {
  return RUN_VIEWS[kind];
}

function nameOf({ kind, spec }: { kind: RunnableFile['kind']; spec: unknown }): string {
  return viewOf(kind).name?.(spec) ?? kind;
}

function runnable(read: ReflectionFile): RunnableFile {
  const { file, kind } = read;
  if (kind === 'config') {
    throw new CliError('NothingToRun', `${file} holds configuration: there is nothing in it to run.`);
  }
  const { notRun } = viewOf(kind);
  if (notRun) throw new CliError('NothingToRun', ...notRun(file));
  return read;
}

/** Turns streaming on for a user at a terminal, unless the file says otherwise. */
function forReaders(read: RunnableFile, isFollowed: boolean): RunnableFile {
  if (read.kind !== 'loop' || !isFollowed || !process.stdout.isTTY) return read;
  return { ...read, spec: { stream: true, ...read.spec } };
}

async function follow(
  client: ReflectionClient,
  reference: RunReference,
  read: RunnableFile,
  json: boolean,
): Promise<number> {
  return followToEnd(reference.workflowId, json, {
    // With --json, standard output holds the result and nothing else.
    begin: (news) => announceRun(client, reference, nameOf(read), news),
    follow: async (news, signal) => {
      try {
        return await viewOf(read.kind).follow(client, reference, news, signal);
      } catch (error) {
        throw withFileLocation(error, read);
      }
    },
  });
}
