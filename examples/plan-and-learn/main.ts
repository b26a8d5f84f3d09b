/**
 * A plan that fails, and succeeds in a second run because of what the first run learned. Needs a Temporal server, and starts a
 * worker by itself:
 *
 *     npx reflect server
 *     npx tsx examples/plan-and-learn/main.ts
 */
import { type PlanRunResult, type PlanSpec, ReflectionClient } from 'durable-reflection';
import { createWorker, defineAction, installRuntime } from 'durable-reflection/worker';
import { z } from 'zod';

/** The actions of the plan's tasks, and the planner. They need no model. */
export function publishingActions() {
  const shelf = new Set<string>();
  return [
    defineAction({
      name: 'write-report',
      description: 'Writes the report.',
      input: z.object({ name: z.string() }),
      run({ name }) {
        shelf.add(name);
        return `${name} is written`;
      },
    }),
    defineAction({
      name: 'send-report',
      description: 'Sends a report that was written.',
      input: z.object({ name: z.string() }),
      run({ name }) {
        if (!shelf.has(name)) throw new Error(`no such file: ${name}`);
        return `${name} is sent`;
      },
    }),
    defineAction({
      name: 'plan-publication',
      description: 'Plans to send; writes first if it has learned that there may be nothing to send.',
      input: z.object({ name: z.string() }),
      run({ name }, { state }) {
        const insights = (state['insights'] ?? []) as string[];
        const write = {
          id: 'write',
          description: 'Write the report',
          step: { action: 'write-report', with: { name } },
        };
        const send = { id: 'send', description: 'Send the report', step: { action: 'send-report', with: { name } } };
        const mustWrite = insights.some((insight) => insight.includes(`no such file: ${name}`));
        return { tasks: mustWrite ? [write, { ...send, dependsOn: ['write'] }] : [send] };
      },
    }),
  ];
}

/** A goal that fails at first. It may not replan, so only the next run can succeed. */
export function publication(name: string, agent: string): PlanSpec {
  return {
    goal: `Publish ${name}`,
    planner: { action: 'plan-publication', with: { name } },
    enableLlmReflection: false,
    maxReplanningAttempts: 0,
    memory: { agent },
  };
}

/** Runs the same goal twice: the second run succeeds because of what the first one learned. */
export async function planAndLearn(client: ReflectionClient, spec: PlanSpec): Promise<[PlanRunResult, PlanRunResult]> {
  const first = await client.plans.run(spec);
  return [first, await client.plans.run(spec)];
}

/** Starts a worker, and publishes a report that has not been written yet. */
async function main(): Promise<void> {
  installRuntime({ level: 'error' });
  const place = { taskQueue: `plan-and-learn-${process.pid}` };
  const worker = await createWorker({ ...place, actions: publishingActions(), drainMs: 0 });
  const working = worker.run();
  const client = await ReflectionClient.connect(place);
  try {
    const name = `report-${Date.now()}.pdf`;
    for (const [index, result] of (await planAndLearn(client, publication(name, `press of ${name}`))).entries()) {
      console.log(`run ${index + 1}: ${result.success ? 'succeeded' : 'failed'}`);
      for (const { taskId, output, error } of result.results) console.log(`  ${taskId}: ${String(error ?? output)}`);
      for (const insight of result.insights) console.log(`  learned: ${insight}`);
    }
  } finally {
    await client.close();
    worker.shutdown();
    await working;
  }
}

if (require.main === module) void main();
