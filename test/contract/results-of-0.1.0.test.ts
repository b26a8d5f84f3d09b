import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { payloadValue } from '../../src/apps/testing/replay/history-file';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { Json, JsonObject } from '../../src/lib/json/json';
import { readRecordings } from '../../testing/replay/recordings';
import { startWorld } from '../../testing/support/loop-world';

/** The JSON Schemas of results that release 0.1.0 had, from which clients in other languages have made their types. */
const file = path.join(__dirname, 'results-of-0.1.0.json');
const schemas = JSON.parse(readFileSync(file, 'utf8')) as Record<string, JsonObject>;
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const problemsIn = (name: string, value: unknown): string[] => {
  const check = ajv.getSchema(name) ?? ajv.addSchema(schemas[name]!, name).getSchema(name)!;
  return check(value) ? [] : check.errors!.map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
};

/** The schema of what a workflow returns. */
const RESULTS: Record<string, string> = {
  reflectionLoop: 'result',
  planReflection: 'plan-result',
  reflectionPipeline: 'pipeline-result',
  reflectionBatch: 'batch-result',
  reflectionEvaluate: 'evaluation',
  reflectionCorrect: 'correction-result',
  agentReflection: 'agent-report',
};

type Event = { [attributes: string]: { workflowType?: { name: string }; result?: { payloads?: Json[] } } };

test('a client of 0.1.0 reads the results of all recorded runs', () => {
  const read = readRecordings().flatMap(({ name, history }) => {
    const [first, last] = [history.events[0], history.events.at(-1)] as unknown as [Event, Event];
    const schema = RESULTS[first['workflowExecutionStartedEventAttributes']!.workflowType!.name];
    const [result] = last['workflowExecutionCompletedEventAttributes']?.result?.payloads ?? [];
    if (schema === undefined || result === undefined) return [];
    return [{ schema, problems: problemsIn(schema, payloadValue(result)).map((problem) => `${name}: ${problem}`) }];
  });
  expect(read.flatMap(({ problems }) => problems)).toEqual([]);
  expect([...new Set(read.map(({ schema }) => schema))].toSorted()).toEqual(Object.values(RESULTS).toSorted());
});

test('a client of 0.1.0 reads the result and the progress of a run of this release', async () => {
  const answers = [{ question: 'q1', answer: 'yes', finding: 'It is there.' }];
  const scripted = await ScriptedOpenAI.start({
    script: ({ last }) => ({ reply: last.includes('Questions about') ? { answers, confidence: 1 } : 'A short text.' }),
  });
  const world = await startWorld({ models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }] });
  try {
    const lines = { pattern: 'longer', message: 'It is too short.' };
    const handle = await world.client.start({ task: 'Write.', evaluator: ['It is short.', 'It rhymes.', lines] });
    const result = await handle.result();
    // Fields that 0.1.0 did not know.
    expect(JSON.stringify(result)).toContain('"coverage"');
    expect(problemsIn('result', result)).toEqual([]);
    expect(problemsIn('progress', await world.client.progress(handle.workflowId))).toEqual([]);
  } finally {
    await world.close();
    await scripted.close();
  }
});
