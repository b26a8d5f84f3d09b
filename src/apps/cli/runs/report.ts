import type { TemporalOverrides } from '../../../lib/config';
import { reportPage } from '../../report/page';
import { withClient } from '../support/connect';
import { EXIT } from '../support/exit-codes';
import { writeReport } from '../terminal/write-report';
import { writeTarget } from '../terminal/write-target';
import { printText, writeJson } from '../terminal/say';
import { runReportText } from './run-report-view';

interface ReportOptions extends TemporalOverrides {
  html?: string;
  json?: boolean;
}

/** `reflect report`: writes the report of a run as a page in a file, as JSON or as text. */
export async function report(workflowId: string, { html, json, ...options }: ReportOptions): Promise<number> {
  const target = html === undefined ? undefined : await writeTarget(html);
  return withClient(options, async (client) => {
    const data = await client.report(workflowId);
    if (target) await writeReport(target, reportPage(data, new Date().toISOString()));
    if (json) writeJson(data);
    else if (html === undefined) printText(runReportText(data));
    return EXIT.success;
  });
}
