import { writeFile } from 'node:fs/promises';
import { sayAside } from './say';
import { CliError } from '../support/cli-error';

/** Writes the page of a report, and says where it is. */
export async function writeReport(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page);
  } catch (error) {
    throw new CliError('NotWritten', `The report was not written: ${(error as Error).message}`, 'Name another file.');
  }
  sayAside(`The report is in ${file}.`);
}
