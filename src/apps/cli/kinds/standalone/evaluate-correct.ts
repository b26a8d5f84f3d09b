import pc from 'picocolors';
import type { ReflectionClient, Started } from '../../../../client';
import type { RunsOfKind } from '../../../../calls/runs-of-kind';
import type { TemporalOverrides } from '../../../../lib/config';
import { omitUndefined } from '../../../../lib/base/defined';
import { isJsonObject, type Json } from '../../../../lib/json/json';
import { renderProblems } from '../../../../loop/errors/errors';
import {
  errorListProblems,
  parseCorrectionFile,
  parseDataFile,
  parseEvaluationFile,
  type RequestFile,
} from '../../../yaml';
import { CliError } from '../../support/cli-error';
import { letGoOf } from '../../follow/follow-to-end';
import { withClient } from '../../support/connect';
import { EXIT } from '../../support/exit-codes';
import { onInterrupt } from '../../support/interrupts';
import { warnWithoutWorker } from '../../support/pollers';
import { jsonOrNone, readState, readText, tellWarnings } from '../../support/run-input';
import { startWithId } from '../../support/run-id';
import { announceRun } from '../../support/web-ui';
import { startError } from '../../support/with-file-location';
import { printText, printProgress, writeJson } from '../../terminal/say';
import { oneLine } from '../../views/printable';
import { correctionText, evaluationText } from './evaluate-correct-view';

interface OnceOptions extends TemporalOverrides {
  /** A file, JSON, or `-`. */
  data?: string;
  state: string[];
  stateFile: string[];
  workflowId?: string;
  json?: boolean;
  local?: boolean;
  strict?: boolean;
}

interface CorrectOptions extends OnceOptions {
  /** A file, JSON, or `-`. */
  errors?: string;
}

const SHOWN_CHARACTERS = 200;

const NO_ANSWER_MS = 3_000;

/** `reflect evaluate`: judges data once. Exit code 0 when it passed, 2 when it failed or could not be judged. */
export async function evaluate(file: string, options: OnceOptions): Promise<number> {
  assertOneStdin([file, options.data]);
  const read = parseEvaluationFile(...(await readText(file)), await additionsOf(options));
  const result = await once(({ evaluations }) => evaluations, read, options, evaluationText);
  return result.satisfactory ? EXIT.success : EXIT.notGoodEnough;
}

/** `reflect correct`: corrects data once and prints the output. */
export async function correct(file: string, options: CorrectOptions): Promise<number> {
  assertOneStdin([file, options.data, options.errors]);
  const errors = options.errors === undefined ? {} : { errors: await readErrors(options.errors) };
  const read = parseCorrectionFile(...(await readText(file)), { ...(await additionsOf(options)), ...errors });
  await once(({ corrections }) => corrections, read, options, correctionText);
  return EXIT.success;
}

function assertOneStdin(sources: (string | undefined)[]): void {
  if (sources.filter((source) => source === '-').length <= 1) return;
  throw new CliError('InvalidInput', 'Only one of file and options can be `-`: standard input is read once.');
}

async function additionsOf({ data, state, stateFile }: OnceOptions) {
  const added = await readState(stateFile, state);
  return omitUndefined({
    data: data === undefined ? undefined : await readValue(data),
    state: Object.keys(added).length === 0 ? undefined : added,
  });
}

/** Reads JSON, or else a file: YAML and JSON by their names, any other file as text. */
async function readValue(source: string): Promise<Json> {
  if (source !== '-') {
    const json = jsonOrNone(source, '(the option)');
    // Else a file.
    if (json !== undefined) return json;
  }
  const [text, file] = await readText(source);
  if (/\.(?:ya?ml|json)$/i.test(file)) return parseDataFile(text, file);
  const json = jsonOrNone(text, file);
  return json === undefined ? text : json;
}

async function readErrors(source: string): Promise<Json> {
  const value = await readValue(source);
  const errors = isJsonObject(value) && 'issues' in value ? value['issues']! : value;
  const problems = errorListProblems(errors);
  if (problems.length === 0) return errors;
  const what = source === '-' ? 'Standard input (--errors -)' : `--errors ${oneLine(source, SHOWN_CHARACTERS)}`;
  throw new CliError(
    'InvalidErrors',
    `${what} has no list of errors:\n${renderProblems(problems, '(all of it)')}`,
    'Give a list of texts or of objects with `message`, or what `reflect evaluate --json` printed.',
  );
}

async function once<Request, Result>(
  runsOf: (client: ReflectionClient) => RunsOfKind<Request, Result>,
  file: RequestFile<Request>,
  { json, workflowId, strict, ...options }: OnceOptions,
  resultText: (result: Result) => string,
): Promise<Result> {
  tellWarnings(file, { strict });
  return withClient(options, async (client) => {
    const result = await endOf(client, file, json ? process.stderr : process.stdout, () =>
      startWithId({ asked: workflowId, name: file.name ?? '', otherwise: 'once' }, (start) =>
        runsOf(client).start(file.request, start),
      ),
    );
    if (json) writeJson(result);
    else printText(resultText(result));
    return result;
  });
}

async function endOf<Result>(
  client: ReflectionClient,
  file: RequestFile<unknown>,
  news: NodeJS.WriteStream,
  start: () => Promise<Started<Result>>,
): Promise<Result> {
  let letGo: (nothing: undefined) => void;
  const interrupted = new Promise<undefined>((resolve) => (letGo = resolve));
  // Before anything is printed: a user who reads the name of the run may press Ctrl-C at once.
  const stopListening = onInterrupt(() => letGo(undefined));
  let timer: NodeJS.Timeout | undefined;
  try {
    const started = await start();
    announceRun(client, started, file.name ?? 'reflection', news);
    timer = setTimeout(
      () => void warnWithoutWorker(client, (text) => printProgress(news, pc.yellow(text))),
      NO_ANSWER_MS,
    );
    const result = started.result();
    // It may fail after the person has let go of it.
    result.catch(() => undefined);
    const first = await Promise.race([result, interrupted]);
    if (first === undefined) throw letGoOf(started.workflowId);
    return first;
  } catch (error) {
    throw startError(error, file, () => 'Choose another --workflow-id.');
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
