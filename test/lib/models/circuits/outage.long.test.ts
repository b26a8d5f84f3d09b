import { setTimeout as sleep } from 'node:timers/promises';
import { ReflectionTestEnvironment } from '../../../../src/apps/testing';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';

const OUTAGE_MS = 45_000;
const CALLS = 12;

test('calls that wait for a model that is down come back rarely, and are answered soon after it is back', async () => {
  let isDown = true;
  const env = await ReflectionTestEnvironment.create({
    script: () => (isDown ? { status: 503 } : { reply: 'x' }),
    circuitBreaker: {},
  });
  const spec = {
    task: 'Write.',
    generator: { action: 'llm.call' as const, prompt: '{{ task }}' },
    evaluator: { type: 'regex' as const, pattern: 'x' },
  };
  const started = Date.now();
  const runs = await Promise.all(Array.from({ length: CALLS }, () => env.client.start(spec)));
  const ends = runs.map(async ({ workflowId }) => {
    const result = await env.client.result(workflowId);
    return { result, afterMs: Date.now() - started - OUTAGE_MS };
  });
  await sleep(OUTAGE_MS);
  isDown = false;
  const ended = await Promise.all(ends);
  expect(ended.every(({ result }) => result.success)).toBe(true);
  expect(Math.min(...ended.map(({ afterMs }) => afterMs))).toBeLessThan(60_000);
  expect(Math.max(...ended.map(({ afterMs }) => afterMs))).toBeLessThan(120_000);
  for (const { workflowId } of runs) {
    const { events = [] } = await env.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    const attempts = (events ?? []).map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 0);
    expect(Math.max(...attempts)).toBeGreaterThan(1);
    expect(Math.max(...attempts)).toBeLessThanOrEqual(8);
  }
  expect(requestsOf(env.model.ledger).length).toBeLessThan(4 * CALLS);
  await env.teardown();
}, 240_000);
