import pc from 'picocolors';
import type { JsonObject } from '../../../../lib/json/json';
import type { BatchReference, ReflectionClient } from '../../../../client';
import type { TemporalOverrides } from '../../../../lib/config';
import type { BatchProgress } from '../../../../kinds/batch/contract/batch-results';
import { omitUndefined } from '../../../../lib/base/defined';
import { BatchItemsGoneError, InvalidSpecError } from '../../../../loop/errors/errors';
import { followToEnd } from '../../follow/follow-to-end';
import { CliError } from '../../support/cli-error';
import { withClient } from '../../support/connect';
import { EXIT } from '../../support/exit-codes';
import { ItemLines } from '../../support/item-lines';
import { type LoopFile, readLoopFile, tellItemWarnings, tellWarnings } from '../../support/run-input';
import { announceRun } from '../../support/web-ui';
import { withFileLocation } from '../../support/with-file-location';
import { printText, printAside, printProgress, writeData, writeJson } from '../../terminal/say';
import { type WriteTarget, writeTarget } from '../../terminal/write-target';
import { batchStanding, batchView } from './batch-view';
import { count } from '../../views/printable';

interface ServerOptions extends TemporalOverrides {
  json?: boolean;
}

interface BatchOptions extends ServerOptions {
  spec: string;
  results?: string;
  concurrency?: number;
  budgetTokens?: number;
  budgetUsd?: number;
  retry?: boolean;
  strict?: boolean;
  workflowId?: string;
  detach?: boolean;
}

function locateProblems(error: unknown, read: LoopFile, items: ItemLines): unknown {
  if (!(error instanceof InvalidSpecError)) return withFileLocation(error, read);
  const ofLoop = error.problems.flatMap(({ path, message }) =>
    path.startsWith('/loop') ? [{ path: path.slice('/loop'.length), message }] : [],
  );
  return ofLoop.length > 0 ? withFileLocation(new InvalidSpecError(ofLoop), read) : items.locateProblems(error);
}

function resultsFile(items: string, asked: string | undefined): string {
  return asked ?? (items === '-' ? 'results.jsonl' : `${items.replace(/\.jsonl$/, '')}.results.jsonl`);
}

async function writeResults(
  client: ReflectionClient,
  workflowId: string,
  target: WriteTarget | undefined,
): Promise<number> {
  let lines = 0;
  let gone: BatchItemsGoneError | undefined;
  const texts = async function* (): AsyncIterableIterator<string, void> {
    try {
      for await (const line of client.batches.results(workflowId)) {
        lines += 1;
        yield `${JSON.stringify(line)}\n`;
      }
    } catch (error) {
      if (!(error instanceof BatchItemsGoneError)) throw error;
      gone = error;
    }
  };
  if (target === undefined) {
    for await (const text of texts()) writeData(text.trimEnd());
  } else {
    await target.write(texts());
    if (gone) printAside(`Results: ${target.file} (${count(lines, 'line')})`);
  }
  if (gone) throw gone;
  return lines;
}

/** `reflect batch`: runs a loop for each line of a file, or attaches to the batch that does. Returns the exit code. */
export async function batchStart(file: string, { json = false, ...options }: BatchOptions): Promise<number> {
  const { results, concurrency, budgetTokens, budgetUsd, retry, workflowId, detach } = options;
  const read = await readLoopFile(options.spec, 'A batch runs a loop for each line.');
  tellWarnings(read, options);
  const items = new ItemLines(file);
  const all: JsonObject[] = [];
  for await (const item of items.read()) all.push(item);
  tellItemWarnings(read, all, options.strict);
  const target = detach ? undefined : await writeTarget(resultsFile(file, results), [file, options.spec]);
  const budget = omitUndefined({ tokens: budgetTokens, usd: budgetUsd });
  return withClient(options, async (client) => {
    const upload = (uploaded: number, total: number): void => {
      if (process.stderr.isTTY)
        process.stderr.write(`\ruploading ${uploaded} of ${total}${uploaded === total ? '\n' : ''}`);
    };
    const starting = client.batches.start(
      all,
      read.spec,
      omitUndefined({
        workflowId,
        concurrency,
        retry,
        budget: Object.keys(budget).length === 0 ? undefined : budget,
        onUpload: upload,
      }),
    );
    const reference = await starting.catch((error: unknown) => {
      throw locateProblems(error, read, items);
    });
    const { workflowId: id } = reference;
    if (!target) {
      if (json) writeJson(reference);
      else writeData(id);
      return EXIT.success;
    }
    return followBatch(client, reference, target, json).catch((error: unknown) => {
      throw locateProblems(error, read, items);
    });
  });
}

async function followBatch(
  client: ReflectionClient,
  reference: BatchReference,
  target: WriteTarget,
  json: boolean,
): Promise<number> {
  const { workflowId: id, attached } = reference;
  return followToEnd(id, json, {
    again: 'the same command once more',
    begin(news) {
      const link = announceRun(client, reference, 'batch', news);
      if (attached) printProgress(news, pc.dim('It was started before: this command attaches to it.'));
      return link;
    },
    async follow(news, signal) {
      const finish = await batchView.follow(client, reference, news, signal);
      const lines = await writeResults(client, id, target);
      const { file } = target;
      const text = `${finish.text}\nResults: ${file} (${count(lines, 'line')})`;
      return { ...finish, text, result: { ...(finish.result as object), workflowId: id, resultsFile: file } };
    },
  });
}

function printStanding(id: string, progress: BatchProgress, json: boolean | undefined): number {
  if (json) writeJson(progress);
  else printText(`${pc.bold(id)}  ${batchStanding(progress)}`);
  return EXIT.success;
}

export async function batchPause(id: string, { json, ...options }: ServerOptions): Promise<number> {
  return withClient(options, async (client) => printStanding(id, await client.batches.pause(id), json));
}

export async function batchResume(id: string, { json, ...options }: ServerOptions): Promise<number> {
  return withClient(options, async (client) => printStanding(id, await client.batches.resume(id), json));
}

export async function batchResults(
  id: string,
  { results: file, json, ...options }: ServerOptions & { results?: string },
): Promise<number> {
  return withClient(options, async (client) => {
    if (json && file === undefined) {
      throw new CliError('NoFile', '--json needs --results: the results are JSONL themselves.');
    }
    const target = file === undefined ? undefined : await writeTarget(file);
    const lines = await writeResults(client, id, target);
    if (json) writeJson({ lines, resultsFile: file });
    else printAside(count(lines, 'line'));
    return EXIT.success;
  });
}
