import { z } from 'zod';
import { createActionRegistry } from '../../src/actions/registry';
import type { Evaluator } from '../../src/loop/contract/evaluators';
import type { Json } from '../../src/lib/json/json';
import { evaluatorKind } from '../../src/evaluators';
import { createModels } from '../../src/lib/models';
import { defineAction } from '../../src/worker';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';

const RUNS = 300;
const WARM_UP = 50;

const items = Array.from({ length: 170 }, (_, id) => ({ id, name: `item ${id}`, tags: ['x', 'y'], mail: 'a@b.co' }));
/** About 10 KB, as text. */
const OUTPUT = JSON.stringify({ items });
const ITEM = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string', pattern: '^item' }, mail: { format: 'email' } },
};

const accepts = defineAction({ name: 'accepts', description: 'Accepts.', input: z.unknown(), run: () => true });
const ECHO = 'process.stdin.resume().on("end", () => console.log(true))';

const judged = { valid: true, score: 1, reason: 'fine', issues: [], suggestions: [], confidence: 1 };
const QUESTIONS = ['Is every item named?', 'Does every item have an address?', 'Are all items tagged?'];
const answers = QUESTIONS.map((_question, index) => ({
  question: `q${index + 1}`,
  finding: '"item 1"',
  answer: 'yes',
}));
const reference = OUTPUT.replaceAll('item 1', 'item one');

/** One line a kind; `runs` where one takes long, `reply` where a model is asked. */
const CASES: { evaluator: Evaluator; runs?: number; reply?: Json; name?: string }[] = [
  { evaluator: { type: 'schema', schema: { type: 'object', properties: { items: { type: 'array', items: ITEM } } } } },
  { evaluator: { type: 'regex', pattern: '"item (?:5|99)".*"item 119"' } },
  { evaluator: { type: 'function', action: 'accepts' } },
  { evaluator: { type: 'external', command: 'echo' }, runs: 20 },
  { evaluator: { type: 'comparison', against: 'reference', reference: OUTPUT, method: 'exact' }, name: 'exact' },
  { evaluator: { type: 'comparison', against: 'reference', reference, method: 'similarity' }, name: 'similarity' },
  { evaluator: { type: 'llm', prompt: 'Judge {{ state.reflection_output }}' }, runs: 50, reply: judged },
  {
    evaluator: { type: 'criteria', criteria: [{ name: 'complete', evaluatorConfig: { questions: QUESTIONS } }] },
    runs: 50,
    reply: { answers },
  },
  {
    evaluator: { type: 'comparison', against: 'reference', reference },
    runs: 50,
    reply: { reason: 'plainer', better: 'first', margin: 'clear' },
  },
];

/** Says how long each kind of evaluator takes for an output of 10 KB, without Temporal around it. */
async function main(): Promise<void> {
  const context = {
    actions: createActionRegistry([accepts]),
    external: { commands: { echo: { command: process.execPath, args: ['-e', ECHO] } } },
    signal: new AbortController().signal,
  };
  const rows: Record<string, { outcome: string; 'p50 ms': string; 'p95 ms': string }> = {};
  for (const { evaluator, runs = RUNS, reply, name = evaluator.type } of CASES) {
    const script = reply === undefined ? [] : [{ match: '', reply, times: 'always' as const }];
    const server = await ScriptedOpenAI.start({ script });
    const models = createModels([{ name: 'm', model: 'm', baseUrl: server.baseUrl }], {});
    const input = {
      output: OUTPUT,
      state: { reflection_output: OUTPUT },
      qualityThreshold: 0.8,
      iteration: 1,
      workflowId: 'bench',
      structured: true,
      timeoutMs: 10_000,
    };
    const times: number[] = [];
    let outcome = '';
    let reason: string | undefined;
    for (let run = -Math.min(WARM_UP, runs); run < runs; run++) {
      const started = performance.now();
      ({ outcome, reason } = await evaluatorKind(evaluator).evaluate(evaluator, input, { ...context, models }));
      if (run >= 0) times.push(performance.now() - started);
    }
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2);
    await server.close();
    if (outcome === 'inconclusive') throw new Error(`${name} could not judge: ${reason}`);
    rows[name] = { outcome, 'p50 ms': at(0.5), 'p95 ms': at(0.95) };
  }
  console.log(`An output of ${(OUTPUT.length / 1024).toFixed(1)} KB, schemas and patterns compiled before:`);
  console.table(rows);
}

void main();
