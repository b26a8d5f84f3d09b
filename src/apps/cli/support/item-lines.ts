import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { JsonObject } from '../../../lib/json/json';
import { InvalidSpecError } from '../../../loop/errors/errors';
import { CliError } from './cli-error';
import { exactJson } from './run-input';

const MOST_TOLD = 20;

/** The lines of a JSONL file as values; empty lines are skipped. `-` reads standard input. */
export class ItemLines {
  readonly #numbers: number[] = [];

  constructor(readonly file: string) {}

  async *read(): AsyncIterableIterator<JsonObject, void> {
    const input = this.file === '-' ? process.stdin : createReadStream(this.file);
    // A file that cannot be opened would end the process: readline does not pass the error on.
    const failed = new Promise<never>((_, reject) => input.once('error', reject));
    failed.catch(() => undefined);
    const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
    for (let number = 1; ; number += 1) {
      const next = await Promise.race([lines.next(), failed]).catch((error: NodeJS.ErrnoException) => {
        const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
        throw new CliError('FileUnreadable', `Cannot read ${this.file}: ${why}.`, 'Check the path.');
      });
      if (next.done) return;
      if (next.value.trim() === '') continue;
      this.#numbers.push(number);
      yield this.#parse(next.value.replace(/^\uFEFF/, ''), number);
    }
  }

  #parse(text: string, number: number): JsonObject {
    try {
      return exactJson(text, `${this.file}:${number}`) as JsonObject;
    } catch (error) {
      if (error instanceof CliError) throw error;
      const message = `${this.file}:${number}  is not JSON: ${(error as Error).message}`;
      throw new CliError('InvalidItems', message, 'Each line is one JSON object.');
    }
  }

  locateProblems(error: unknown): unknown {
    if (!(error instanceof InvalidSpecError)) return error;
    const lines = error.problems.flatMap(({ path, message }) => {
      const [, index, rest = ''] = /^\/items\/(\d+)(.*)$/.exec(path) ?? [];
      if (index === undefined) return path === '/items' ? [`${this.file}  ${message}`] : [];
      const field = rest === '' ? '' : `${rest.slice(1)}: `;
      return [`${this.file}:${this.#numbers[Number(index)] ?? '?'}  ${field}${message}`];
    });
    if (lines.length === 0) return error;
    const told = lines.slice(0, MOST_TOLD);
    const more = lines.length > told.length ? [`… and ${lines.length - told.length} more`] : [];
    return new CliError('InvalidItems', [...told, ...more].join('\n'), 'Nothing was started.');
  }
}
