import pc from 'picocolors';
import type { ReflectionClient, RunReference } from '../../client';
import type { RunKind } from '../../client/kinds/run-kind';
import { RUN_KINDS } from '../../client/kinds/run-kinds';
import type { TemporalOverrides } from '../../config';
import { defined } from '../../domain/base/defined';
import { ReflectionFailedError } from '../../domain/errors/errors';
import type { ReflectionFile } from '../../yaml/index';
import type { RunView } from '../kinds/run-view';
import { RUN_VIEWS } from '../kinds/run-views';
import { announceRun } from '../support/web-ui';
import { CliError } from '../support/cli-error';
import { withClient } from '../support/connect';
import { onInterrupt } from '../support/interrupts';
import { reportError } from '../support/report-error';
import { readRunFile, readState } from '../support/run-input';
import { lookOrRename, startError, withFileLocation } from '../support/with-file-location';
import { command } from '../views/printable';

export interface RunOptions extends TemporalOverrides {
  state: string[];
  stateFile: string[];
  workflowId?: string;
  json?: boolean;
  detach?: boolean;
}

const EXIT = { success: 0, error: 1, notGoodEnough: 2, interrupted: 130 } as const;

type RunnableFile = Exclude<ReflectionFile, { kind: 'agents' | 'config' }>;

/** `reflect run`: starts a file's loop, pipeline or plan and follows it to its end. Returns the exit code. */
export async function run(file: string, { workflowId, detach, json = false, ...options }: RunOptions): Promise<number> {
  const read = runnable(await readRunFile(file));
  const state = await readState(options.stateFile, options.state);
  const spec = Object.keys(state).length === 0 ? read.spec : { ...read.spec, state: { ...read.spec.state, ...state } };
  const kind: RunKind<unknown, unknown, unknown> = RUN_KINDS[read.kind];
  return withClient(options, async (client) => {
    const starting = kind.startReference(client, spec, defined({ workflowId }));
    const reference = await starting.catch((error: unknown) => {
      throw startError(error, read, lookOrRename);
    });
    if (!detach) return follow(client, reference, read, json);
    console.log(json ? JSON.stringify(reference) : reference.workflowId);
    return EXIT.success;
  });
}

function runnable(read: ReflectionFile): RunnableFile {
  const { file, kind } = read;
  if (kind === 'config') {
    throw new CliError('NothingToRun', `${file} holds configuration: there is nothing in it to run.`);
  }
  if (kind !== 'agents') return read;
  throw new CliError(
    'NothingToRun',
    `${file} holds a population, which lives until it is told to finish.`,
    `Start it: npx reflect agents start ${file}`,
  );
}

async function follow(
  client: ReflectionClient,
  reference: RunReference,
  read: RunnableFile,
  json: boolean,
): Promise<number> {
  const view: Required<Pick<RunView<unknown>, 'name' | 'follow'>> = RUN_VIEWS[read.kind];
  // Before anything is said: who reads the name of the run may press Ctrl-C at once.
  const interrupted = new AbortController();
  const stopListening = onInterrupt(() => interrupted.abort());
  // With --json, standard output holds the result and nothing else.
  const news = json ? process.stderr : process.stdout;
  const link = announceRun(client, reference, view.name(read.spec), news);
  try {
    const { result, text, outcome } = await view.follow(client, reference, news, interrupted.signal);
    if (json) console.log(JSON.stringify(result, null, 2));
    else console.log(`\n${text}`);
    if (!json && link !== undefined) console.log(`\n${pc.dim(`The run in the Web UI: ${link}`)}`);
    return EXIT[outcome];
  } catch (error) {
    if (interrupted.signal.aborted) {
      console.error(
        `\nThe run goes on without you. Look at it: ${command(`npx reflect show ${reference.workflowId}`)}`,
      );
      console.error(`Stop it: ${command(`npx reflect abort ${reference.workflowId}`)}`);
      return EXIT.interrupted;
    }
    if (!(error instanceof ReflectionFailedError)) throw withFileLocation(error, read);
    reportError(error);
    return EXIT.notGoodEnough;
  } finally {
    stopListening();
  }
}
