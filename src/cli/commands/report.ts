import { writeFile } from 'node:fs/promises';
import type { TemporalOverrides } from '../../config';
import { reportPage } from '../../report/page';
import { CliError } from '../support/cli-error';
import { withClient } from '../support/connect';
import { EXIT } from '../support/exit-codes';
import { say, sayAside, writeJson } from '../terminal/say';
import { runReportText } from '../views/run-report-view';

export interface ReportOptions extends TemporalOverrides {
  html?: string;
  json?: boolean;
}

/** `reflect report`: what a run came to, as a page in a file, as JSON or as text. */
export async function report(workflowId: string, { html, json, ...options }: ReportOptions): Promise<number> {
  return withClient(options, async (client) => {
    const data = await client.report(workflowId);
    if (html !== undefined) await writePage(html, reportPage(data, new Date().toISOString()));
    if (json) writeJson(data);
    else if (html === undefined) say(runReportText(data));
    if (html !== undefined) sayAside(`The report is in ${html}.`);
    return EXIT.success;
  });
}

async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page);
  } catch (error) {
    throw new CliError('NotWritten', `The report was not written: ${(error as Error).message}`, 'Name another file.');
  }
}
