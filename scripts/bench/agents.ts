/** `npm run bench:agents`: a population that lives for years, and reflects upon events of every kind by template. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { ReflectionClient } from '../../src/client';
import type { AgentEvent } from '../../src/kinds/agents/state/population';
import type { AgentReflectionReport, TriggerAnswer } from '../../src/kinds/agents/contract/agent-results';
import type { AgentReflectionSpec } from '../../src/kinds/agents/contract/agents';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../../src/apps/server';
import { ensureBuilt } from './built';
import { builtWorker } from './built-worker';

const AGENTS = 1_000;
const YEARS = 20;
/** Of a thousand agents, those who decide something in a year. */
const DECIDE = 100;
const SENDERS = 8;

const DECISIONS = ['elevate_house', 'buy_insurance', 'relocate', 'buyout_program'];

function spec(): AgentReflectionSpec {
  const institutions = [
    { id: 'government', type: 'government' },
    { id: 'insurer', type: 'insurance' },
  ];
  const households = Array.from({ length: AGENTS - institutions.length }, (_, index) => ({
    id: `household_${index}`,
    type: index % 3 === 0 ? 'household_renter' : 'household_owner',
  }));
  return { agents: [...households, ...institutions], config: { reflection: { method: 'template' } }, seed: 1 };
}

/** What happens in a year: a flood, decisions, a change of policy, and its end. */
function eventsOf(year: number): AgentEvent[] {
  const decisions = Array.from({ length: DECIDE }, (_, index): AgentEvent => {
    const agentId = `household_${(year * DECIDE + index) % (AGENTS - 2)}`;
    return { id: `y${year}-d${index}`, kind: 'decision', year, agentId, context: { decision: DECISIONS[index % 4]! } };
  });
  return [
    { id: `y${year}-flood`, kind: 'crisis', year, context: { description: `the river rose in year ${year}` } },
    ...decisions,
    {
      id: `y${year}-policy`,
      kind: 'institutional',
      year,
      context: { policyChangeMagnitude: year % 2 === 0 ? 0.1 : 0.01 },
    },
    { id: `y${year}-end`, kind: 'periodic', year },
  ];
}

async function chainOf(
  client: ReflectionClient,
  workflowId: string,
): Promise<{ runs: number; events: number; bytes: number }> {
  const chain = { runs: 0, events: 0, bytes: 0 };
  for await (const { runId } of client.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { workflowExecutionInfo: info } = (await client.temporal.workflow.getHandle(workflowId, runId).describe())
      .raw;
    chain.runs += 1;
    chain.events = Math.max(chain.events, Number(info!.historyLength));
    chain.bytes = Math.max(chain.bytes, Number(info!.historySizeBytes));
  }
  return chain;
}

async function main(): Promise<void> {
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'reflect-agents-'));
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const server = await startDevServer({ cli, databaseFile: join(folder, 'temporal.db') });
  const worker = await builtWorker({ ...process.env, TEMPORAL_ADDRESS: server.address }, 'const actions = [];');
  const client = await ReflectionClient.connect({ address: server.address });
  const workflowId = 'bench-agents';
  await client.temporal.workflow.start('agentReflection', {
    taskQueue: client.taskQueue,
    workflowId,
    args: [spec()],
  });
  const send = (event: AgentEvent) =>
    client.temporal.workflow
      .getHandle(workflowId)
      .executeUpdate<TriggerAnswer, [AgentEvent]>('trigger', { args: [event] });

  const memory: number[] = [];
  const started = performance.now();
  for (let year = 1; year <= YEARS; year += 1) {
    const events = eventsOf(year);
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (let event = events.shift(); event; event = events.shift()) {
          // The run may just be handing over to the next one of its chain; the id makes it safe to send again.
          for (let left = 50; ; left -= 1) {
            try {
              await send(event);
              break;
            } catch (error) {
              if (left === 0) throw error;
              await new Promise((resolve) => setTimeout(resolve, 100));
            }
          }
        }
      }),
    );
    memory.push(await worker.memory());
  }
  const seconds = (performance.now() - started) / 1_000;
  await client.temporal.workflow.getHandle(workflowId).signal('finish');
  const report = (await client.temporal.workflow.getHandle(workflowId).result()) as AgentReflectionReport;
  const { runs, events, bytes } = await chainOf(client, workflowId);
  // The first fifth of the years is warm-up.
  const warm = memory.slice(YEARS / 5);
  const middle = (Math.max(...warm) + Math.min(...warm)) / 2;
  const swing = Math.max(...warm) - middle;
  const table = new Table({ head: [`${AGENTS} agents × ${YEARS} years, by template`, ''] });
  table.push(
    ['events taken', report.counts.events],
    ['reflections', `${report.counts.reflections} ${JSON.stringify(report.counts.byKind)}`],
    ['seconds', seconds.toFixed(1)],
    ['reflections/s', (report.counts.reflections / seconds).toFixed(0)],
    [
      'agents/s (an agent asked whether to reflect)',
      ((report.counts.reflections + report.counts.skipped) / seconds).toFixed(0),
    ],
    ['runs of the chain', runs],
    ['events of the largest run (at most 4096)', events],
    ['history of the largest run', `${(bytes / 1_024).toFixed(0)} KiB`],
    ['worker memory after warm-up', `${middle.toFixed(0)} ± ${swing.toFixed(0)} MB (flat: ± 50)`],
  );
  console.log(table.toString());
  await client.close();
  worker.process.kill('SIGKILL');
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  if (events > 4_096 || swing > 50) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
