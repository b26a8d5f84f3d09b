import type { ReflectionResult } from '../../src/loop/contract/results';
import type { ActivityRecord, SendRecord, TortureRecord } from '../../testing/torture/record';

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function result(changes: Partial<ReflectionResult> & { iterations: number; calls: number }): ReflectionResult {
  const { iterations, calls, ...rest } = changes;
  const versions = Array.from({ length: iterations }, (_, index) => ({
    iteration: index + 1,
    output: `version ${index + 1}`,
  }));
  return {
    success: true,
    exhausted: false,
    finalOutput: `version ${iterations}`,
    convergenceReason: 'quality_met',
    iterationsUsed: iterations,
    executionTime: 1_000,
    tokenUsage: {
      promptTokens: 10 * calls,
      completionTokens: 5 * calls,
      totalTokens: 15 * calls,
      modelCalls: calls,
      usd: null,
    },
    ...rest,
    history: { versions, people: [], totalIterations: iterations, ...rest.history },
  } as unknown as ReflectionResult;
}

function activity(activityId: string, type: string, iteration: number, eventId: number, attempt = 1): ActivityRecord {
  return { activityId, type, iteration, attempt, outcome: 'completed', eventId, at: eventId * 100 };
}

function send(call: string, runId: string, activityId: string, changes: Partial<SendRecord>): SendRecord {
  const workflowId = `torture-${call.split('/')[0]}`;
  const base = { request: 1, at: 0, worker: 'w1', attempt: 1, counted: true, answeredAt: 0, usage };
  return { ...base, workflowId, runId, activityId, call, ...changes };
}

/**
 * Three loops without a mistake. A is a chain of two runs; its second call was in flight when its worker was killed. B was
 * accepted by a signal that was sent twice, while its second call was on its way. C's call was made in the background; its
 * worker was killed when the server had the id, and the next attempt picked the response up.
 */
export function correctRecord(): TortureRecord {
  const accepted = {
    name: 'accept',
    payload: { id: 'B-1' },
    at: new Date(1_450).toISOString(),
    via: 'signal' as const,
    applied: true,
  };
  const finalA = result({ iterations: 2, calls: 2 });
  const finalB = result({
    iterations: 1,
    calls: 1,
    convergenceReason: 'user_accepted',
    history: { people: [accepted] } as unknown as ReflectionResult['history'],
  });
  const finalC = result({ iterations: 1, calls: 1 });
  const callOfC = { workflowId: 'torture-C', runId: 'c1', activityId: '1', response: 'resp_1' };
  return {
    seed: 1,
    loops: [
      { loop: 'A', workflowId: 'torture-A', acknowledgedAt: 1, steered: false },
      { loop: 'B', workflowId: 'torture-B', acknowledgedAt: 1, steered: true },
      { loop: 'C', workflowId: 'torture-C', acknowledgedAt: 1, steered: false },
    ],
    commands: [
      { id: 'B-1', name: 'accept', via: 'signal', workflowId: 'torture-B', sentAt: 1_440, answer: 'unknown' },
      { id: 'B-1', name: 'accept', via: 'signal', workflowId: 'torture-B', sentAt: 1_445, answer: 'acknowledged' },
      { id: 'B-2', name: 'abort', via: 'update', workflowId: 'torture-B', sentAt: 3_000, answer: 'refused' },
    ],
    kills: [
      { what: 'worker', worker: 'w1', barrier: 'in-flight', at: 900, until: 905 },
      { what: 'worker', worker: 'w3', barrier: 'background-noted', at: 750, until: 755 },
    ],
    asked: [
      { ...callOfC, kind: 'fetched', at: 600, worker: 'w3', attempt: 1, state: 'in_progress' },
      { ...callOfC, kind: 'fetched', at: 950, worker: 'w2', attempt: 2, given: 'resp_1', state: 'completed' },
    ],
    noted: [{ runId: 'c1', activityId: '1', response: 'resp_1', at: 700 }],
    stalls: [],
    sends: [
      send('A/write/1', 'a1', '1', { at: 500 }),
      send('A/write/2', 'a2', '1', { at: 800 }),
      send('A/write/2', 'a2', '1', { at: 1_200, worker: 'w2', attempt: 2 }),
      send('B/write/1', 'b1', '1', { at: 900, worker: 'w2' }),
      send('B/write/2', 'b1', '2', { at: 1_400, worker: 'w2' }),
      send('C/write/1', 'c1', '1', { at: 500, worker: 'w3', response: 'resp_1' }),
    ],
    chains: [
      {
        workflowId: 'torture-A',
        runs: [
          {
            runId: 'a2',
            continued: 'a1',
            activities: [activity('1', 'reflection.revise', 2, 13, 2)],
            arrivals: [],
            end: { kind: 'completed', eventId: 20, at: 2_000, result: finalA },
          },
          {
            runId: 'a1',
            activities: [activity('1', 'reflection.generate', 1, 6)],
            arrivals: [],
            end: { kind: 'continuedAsNew', eventId: 7, at: 700 },
          },
        ],
      },
      {
        workflowId: 'torture-B',
        runs: [
          {
            runId: 'b1',
            activities: [activity('1', 'reflection.generate', 1, 10), activity('2', 'reflection.revise', 2, 16)],
            arrivals: [{ id: 'B-1', name: 'accept', via: 'signal', eventId: 14, at: 1_450 }],
            end: { kind: 'completed', eventId: 20, at: 2_000, result: finalB },
          },
        ],
      },
      {
        workflowId: 'torture-C',
        runs: [
          {
            runId: 'c1',
            activities: [activity('1', 'reflection.generate', 1, 10, 2)],
            arrivals: [],
            end: { kind: 'completed', eventId: 20, at: 2_000, result: finalC },
          },
        ],
      },
    ],
    faultFree: { A: { ...finalA, executionTime: 5 }, C: finalC },
  };
}
