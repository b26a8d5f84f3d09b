import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { eventually } from '../support/eventually';
import { endName, endOf, type HistoryFile } from '../../src/apps/testing/replay/history-file';
import type { Scenario } from './scenario';
import { Scrubber } from '../../src/apps/testing/replay/record-run';
import { privateText } from './private-text';
import type { OpenWorld, Worlds } from './worlds';

/** Runs a scenario and gives the histories of its runs, the first run first. */
export async function record(scenario: Scenario, worlds: Worlds): Promise<HistoryFile[]> {
  const { client, replaceWorker } = await worlds.open(scenario);
  const model = worlds.model(scenario.name);
  const workflowId = `recorded-${scenario.name}`;
  await scenario.before?.(client);
  const first = await client.temporal.workflow.start(scenario.type ?? 'reflectionLoop', {
    taskQueue: client.taskQueue,
    workflowId,
    args: [scenario.spec],
    staticSummary: scenario.name,
  });
  const handle = client.temporal.workflow.getHandle(workflowId);
  await scenario.meanwhile?.({
    client,
    workflowId,
    handle,
    replaceWorker,
    asked: async (times) => {
      const requests = () => model?.ledger.filter(({ kind }) => kind === 'request').length ?? 0;
      await eventually(requests, (count) => count >= times, 30_000);
    },
  });
  await handle.result().catch(() => undefined);
  const histories = await chainOf(client, workflowId, first.firstExecutionRunId);
  const end = endName(endOf(histories.at(-1)!));
  if (end !== scenario.ends)
    throw new Error(`${scenario.name} was to end with ${scenario.ends}, but ended with ${end}`);
  model?.assertDone();
  return scenario.lastRunOnly ? histories.slice(-1) : histories;
}

async function chainOf(client: OpenWorld['client'], workflowId: string, firstRunId: string): Promise<HistoryFile[]> {
  const scrubber = new Scrubber();
  const histories: HistoryFile[] = [];
  let runId: string | null | undefined = firstRunId;
  while (runId) {
    const history = await client.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const scrubbed = scrubber.scrub(JSON.parse(historyToJSON(history)) as HistoryFile);
    const secret = privateText(scrubbed);
    if (secret !== undefined) throw new Error(`the history of ${workflowId} says where it was recorded: …${secret}…`);
    histories.push(scrubbed);
    runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return histories;
}
