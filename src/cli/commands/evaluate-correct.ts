import pc from 'picocolors';
import type { ReflectionClient, Started } from '../../client';
import { AlreadyRunningError } from '../../domain/errors/call-errors';
import { isJsonObject, type Json } from '../../domain/base/json';
import { parseCorrectionFile, parseDataFile, parseEvaluationFile, type RequestFile } from '../../yaml/index';
import { CliError } from '../support/cli-error';
import { connect } from '../support/connect';
import { onInterrupt } from '../support/interrupts';
import { correctionText, evaluationText } from '../views/evaluate-correct-view';
import { noWorkerText, pollerCount } from '../support/pollers';
import { readState, readText } from '../support/run-input';
import { withFileLocation } from '../support/with-file-location';
import { serverOf } from '../support/server-of';
import { runLink } from '../support/web-ui';

export interface OnceOptions {
  /** A file, JSON, or `-`. */
  data?: string;
  state: string[];
  stateFile: string[];
  workflowId?: string;
  json?: boolean;
  taskQueue?: string;
  address?: string;
  namespace?: string;
}

export interface CorrectOptions extends OnceOptions {
  /** A file, JSON, or `-`. */
  errors?: string;
}

const EXIT = { success: 0, notGoodEnough: 2, interrupted: 130 } as const;

/** How long nobody may answer before a missing worker is suspected. */
const NO_ANSWER_MS = 3_000;

/** `reflect evaluate`: judges data once. Exit code 0 when it passed, 2 when it failed or nobody could judge it. */
export async function evaluate(file: string, options: OnceOptions): Promise<number> {
  onlyOneStdin([file, options.data]);
  const read = parseEvaluationFile(...(await readText(file)), await additionsOf(options));
  return withClient(options, async (client) => {
    const result = await once(client, read, options, () => client.startEvaluation(read.request, idOf(options)));
    if (result === undefined) return EXIT.interrupted;
    console.log(options.json ? JSON.stringify(result, null, 2) : evaluationText(result));
    return result.satisfactory ? EXIT.success : EXIT.notGoodEnough;
  });
}

/** `reflect correct`: corrects data once and prints the output. */
export async function correct(file: string, options: CorrectOptions): Promise<number> {
  onlyOneStdin([file, options.data, options.errors]);
  const errors = options.errors === undefined ? {} : { errors: errorsIn(await readValue(options.errors)) };
  const read = parseCorrectionFile(...(await readText(file)), { ...(await additionsOf(options)), ...errors });
  return withClient(options, async (client) => {
    const result = await once(client, read, options, () => client.startCorrection(read.request, idOf(options)));
    if (result === undefined) return EXIT.interrupted;
    console.log(options.json ? JSON.stringify(result, null, 2) : correctionText(result));
    return EXIT.success;
  });
}

function onlyOneStdin(sources: (string | undefined)[]): void {
  if (sources.filter((source) => source === '-').length <= 1) return;
  throw new CliError('InvalidInput', 'Only one of file and options can be `-`: standard input is read once.');
}

async function additionsOf({ data, state, stateFile }: OnceOptions) {
  const added = await readState(stateFile, state);
  return {
    ...(data === undefined ? {} : { data: await readValue(data) }),
    ...(Object.keys(added).length === 0 ? {} : { state: added }),
  };
}

/** JSON where it is JSON, else a file: YAML and JSON by their names, any other file as text. */
async function readValue(source: string): Promise<Json> {
  if (source !== '-') {
    try {
      return JSON.parse(source) as Json;
    } catch {
      // Not JSON: a file.
    }
  }
  const [text, file] = await readText(source);
  if (/\.(?:ya?ml|json)$/i.test(file)) return parseDataFile(text, file);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** What `reflect evaluate --json` printed, too: its issues are the errors. */
function errorsIn(value: Json): Json {
  return isJsonObject(value) && 'issues' in value ? value['issues']! : value;
}

function idOf({ workflowId }: OnceOptions): { workflowId?: string } {
  return workflowId === undefined ? {} : { workflowId };
}

async function withClient(options: OnceOptions, work: (client: ReflectionClient) => Promise<number>): Promise<number> {
  const client = await connect(options);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Starts a run and waits for it; undefined when the person lets go of it. */
async function once<Result>(
  client: ReflectionClient,
  file: RequestFile<unknown>,
  { json }: OnceOptions,
  start: () => Promise<Started<Result>>,
): Promise<Result | undefined> {
  let letGo: (nothing: undefined) => void;
  const interrupted = new Promise<undefined>((resolve) => (letGo = resolve));
  // Before anything is said: who reads the name of the run may press Ctrl-C at once.
  const stopListening = onInterrupt(() => letGo(undefined));
  const news = json ? process.stderr : process.stdout;
  let late: NodeJS.Timeout | undefined;
  try {
    const started = await start();
    const link = runLink(serverOf(client), started);
    news.write(`${pc.bold(file.name ?? 'reflection')}  ${started.workflowId}\n`);
    if (link !== undefined) news.write(`${pc.dim(link)}\n`);
    news.write('\n');
    late = setTimeout(() => void sayIfNobodyWorks(client, news), NO_ANSWER_MS);
    const result = started.result();
    // It may fail after the person has let go of it.
    result.catch(() => undefined);
    const first = await Promise.race([result, interrupted]);
    if (first === undefined) console.error(`\nThe run goes on without you: ${started.workflowId}`);
    return first;
  } catch (error) {
    if (!(error instanceof AlreadyRunningError)) throw withFileLocation(error, file);
    const { workflowId } = error;
    throw new CliError(
      'AlreadyRunning',
      `The run "${workflowId}" is there already, and it has not ended.`,
      'Choose another --workflow-id.',
    );
  } finally {
    clearTimeout(late);
    stopListening();
  }
}

async function sayIfNobodyWorks(client: ReflectionClient, news: NodeJS.WriteStream): Promise<void> {
  const pollers = await pollerCount(client, client.taskQueue, 'workflow').catch(() => undefined);
  if (pollers === 0) news.write(`${pc.yellow(noWorkerText(client.taskQueue))}\n`);
}
