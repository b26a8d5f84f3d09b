/** The page of a worker's metrics, from what it serves. */
import { WorkerMetrics } from '../../../src/lib/observability/metrics';
import { GENERATED, markdownTable } from './table';

interface Metric {
  name: string;
  type: string;
  help: string;
  labels: Set<string>;
}

/** Labels that the format adds by itself. */
const OF_THE_FORMAT = ['le', 'quantile'];

/** The metrics in a text of Prometheus' format. */
export function metricsIn(text: string): Metric[] {
  const metrics: Metric[] = [];
  for (const line of text.split('\n')) {
    const help = /^# HELP (\S+) (.*)$/.exec(line);
    if (help) metrics.push({ name: help[1]!, type: '', help: help[2]!, labels: new Set() });
    const type = /^# TYPE \S+ (\w+)$/.exec(line);
    const latest = metrics.at(-1);
    if (!latest) continue;
    if (type) latest.type = type[1]!;
    else
      for (const [, label] of line.matchAll(/[{,](\w+)=/g))
        if (!OF_THE_FORMAT.includes(label!)) latest.labels.add(label!);
  }
  return metrics;
}

/** The metrics of this package, with a call counted, so that each has its labels. */
async function ownMetrics(): Promise<Metric[]> {
  const metrics = new WorkerMetrics(() => [{ name: 'writer', state: 'closed' }]);
  const end = metrics.modelCall({ model: 'writer', activity: 'generate' });
  end?.({
    outcome: 'ok',
    ms: 1,
    usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2, usd: 1, modelCalls: 1 },
  });
  return metricsIn(await metrics.text()).filter(({ name }) => name.startsWith('reflect_'));
}

export async function metricsPage(): Promise<string> {
  const rows = (await ownMetrics()).map(({ name, type, help, labels }) => [
    `\`${name}\``,
    type,
    [...labels].map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  return `# Metrics

What a worker serves on \`/metrics\` in Prometheus' format ([how](../operating.md#logs-metrics-traces)). ${GENERATED}

${markdownTable(['Metric', 'Type', 'Labels', 'Meaning'], rows)}

Through the SDK's metrics, so also in workers of your own, loops are counted when they end: \`reflect_loops_total\` (counter) and
\`reflect_loop_versions\` (histogram), both by \`reason\` and \`success\`, with the SDK's \`workflowType\`, \`taskQueue\` and \`namespace\`.

Waits for a person are counted when they end: \`reflect_waits_total\` (counter), by \`kind\` (\`review\`, \`question\`, \`approval\`) and
\`outcome\`: \`answered\`, \`timeout\`, or \`dropped\` for a question or a call whose step was given up.

Messages about [waits](../notifications.md) are counted in the same way: \`reflect_notifications_total\` (counter), by \`outcome\`: \`sent\` or
\`given_up\`. An attempt that failed counts in the SDK's \`temporal_activity_execution_failed\` of \`reflection.notify\`.

The endpoint also serves the metrics of the process (\`process_*\`, \`nodejs_*\`) and those of
[Temporal's SDK](https://docs.temporal.io/references/sdk-metrics) (\`temporal_*\`).
`;
}
