import type { TemporalOverrides } from '../../../lib/config';
import type { ReflectionClient } from '../../../client';
import type { ModelCall } from '../../../lib/contract/model-calls';
import { reportPage } from '../../report/page';
import { promptSections } from '../../report/prompt-sections';
import { callText } from '../prompts/prompts-view';
import { withClient } from '../support/connect';
import { EXIT } from '../support/exit-codes';
import { writeReport, writeTarget } from '../terminal/write-target';
import { printText, writeJson } from '../terminal/say';
import { runReportText } from './run-report-view';

interface ReportOptions extends TemporalOverrides {
  html?: string;
  json?: boolean;
  prompts?: boolean;
}

function loadedCalls(client: ReflectionClient, workflowId: string): Promise<ModelCall[]> {
  const { readModelCalls } = require('../prompts/model-calls') as typeof import('../prompts/model-calls');
  return readModelCalls(client, workflowId);
}

/** `reflect report`: writes the report of a run as a page in a file, as JSON or as text. */
export async function report(workflowId: string, { html, json, prompts, ...options }: ReportOptions): Promise<number> {
  const target = html === undefined ? undefined : await writeTarget(html);
  return withClient(options, async (client) => {
    const data = await client.report(workflowId);
    const calls = prompts ? await loadedCalls(client, workflowId) : undefined;
    const sections = calls && promptSections({ workflowId, calls });
    if (target) await writeReport(target, reportPage(data, new Date().toISOString(), sections));
    if (json) writeJson(data);
    else if (html === undefined) printText([runReportText(data), ...(calls ?? []).map(callText)].join('\n\n'));
    return EXIT.success;
  });
}
