/**
 * A loop of three versions as a graph of LangGraph whose checkpoints are in PostgreSQL, with steps that answer at once. Runs in the
 * folder where LangGraph is installed; prints what it measured as JSON.
 */
import { createRequire } from 'node:module';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [connectionString, durability, outputBytes, runs, concurrency] = process.argv.slice(2);
const { resolve } = createRequire(join(process.cwd(), 'package.json'));
const load = async (name) => import(pathToFileURL(resolve(name)).href);
const { Annotation, END, START, StateGraph } = await load('@langchain/langgraph');
const { PostgresSaver } = await load('@langchain/langgraph-checkpoint-postgres');

const ITERATIONS = 3;
const output = 'x'.repeat(Number(outputBytes));
const State = Annotation.Root({ output: Annotation(), iteration: Annotation(), verdict: Annotation() });
const checkpointer = PostgresSaver.fromConnString(connectionString);
await checkpointer.setup();
const loop = new StateGraph(State)
  .addNode('write', ({ iteration }) => ({ output, iteration: (iteration ?? 0) + 1 }))
  .addNode('judge', () => ({ verdict: { valid: false, score: 0.5, reason: 'no' } }))
  .addEdge(START, 'write')
  .addEdge('write', 'judge')
  .addConditionalEdges('judge', ({ iteration }) => (iteration < ITERATIONS ? 'write' : END))
  .compile({ checkpointer });

async function once() {
  const started = performance.now();
  const { iteration } = await loop.invoke({}, { configurable: { thread_id: randomUUID() }, durability });
  if (iteration !== ITERATIONS) throw new Error(`the graph ended after ${iteration} versions`);
  return performance.now() - started;
}

for (let run = 0; run < 30; run += 1) await once();
const times = [];
for (let run = 0; run < 35; run += 1) times.push(await once());
times.sort((first, second) => first - second);

let left = Number(runs);
const before = process.cpuUsage();
const started = performance.now();
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (left > 0) {
      left -= 1;
      await once();
    }
  }),
);
const seconds = (performance.now() - started) / 1_000;
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    latency: times[Math.floor(times.length / 2)],
    rate: Number(runs) / seconds,
    processor: (user + system) / 1_000 / Number(runs),
  }),
);
await checkpointer.end();
