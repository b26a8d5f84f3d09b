/**
 * Three loops in TypeScript: code judged by weighted criteria, code with a custom validator, and a text in several drafts.
 * The YAML files of the same names describe the same loops. Needs a Temporal server; starts a worker by itself:
 *
 *     npx reflect server
 *     OPENAI_API_KEY=… npx tsx examples/usage.ts
 */
import { ReflectionClient, type ReflectionSpec } from 'durable-reflection';
import { createWorker } from 'durable-reflection/worker';
import { javascriptSyntax } from './syntax-action';

/** Weighted criteria: the weighted mean must reach the threshold, and each criterion must reach its own threshold. */
export const codeByCriteria: ReflectionSpec = {
  name: 'code-by-criteria',
  task: 'Write a JavaScript function that merges overlapping number ranges. Reply with code only.',
  generator: { action: 'llm.call', system: 'You are a careful JavaScript developer.' },
  evaluator: {
    type: 'criteria',
    taskType: 'code',
    criteria: [
      { name: 'correctness', weight: 2 },
      { name: 'edge_cases', weight: 1.5 },
      { name: 'efficiency' },
      { name: 'readability' },
    ],
  },
  maxIterations: 4,
  qualityThreshold: 0.85,
};

/** A custom validator as a gate: no judge is paid for code that cannot be parsed. */
export const codeWithValidator: ReflectionSpec = {
  name: 'code-generation',
  task: 'Write a JavaScript function `slug` that makes a URL slug of a title. Reply with code only.',
  generator: { action: 'llm.call' },
  evaluator: [
    { name: 'syntax', type: 'function', action: 'javascript.syntax', gate: true },
    { type: 'criteria', taskType: 'code', criteria: ['correctness'] },
  ],
};

/** A text in up to five drafts, judged by custom criteria. */
export const textInDrafts: ReflectionSpec = {
  name: 'tutorial-drafts',
  task: 'Explain to a new colleague, in half a page, what a database index costs and when it pays.',
  generator: { action: 'llm.call', system: 'You write for people who are busy.' },
  evaluator: {
    type: 'criteria',
    criteria: [
      { name: 'accuracy', weight: 2, description: 'Every claim is true.' },
      { name: 'clarity', weight: 1.5, description: 'A reader who knows no databases can follow.' },
      { name: 'structure', description: 'One thought leads to the next.' },
      { name: 'engagement', description: 'It has an example that one remembers.' },
    ],
  },
  maxIterations: 5,
  bestVersionSelection: 'highest_score',
};

/** Runs a loop and reports how each version was evaluated. */
export async function showImprovement(client: ReflectionClient, spec: ReflectionSpec): Promise<string[]> {
  const { history, iterationsUsed, finalOutput } = await client.run(spec);
  const lines = history.versions.map(({ iteration, evaluation }) => {
    const issues = evaluation.issues.map(({ message }) => message).join('; ');
    return `${iteration}: ${evaluation.overallScore?.toFixed(2) ?? 'no score'}${issues ? `, ${issues}` : ''}`;
  });
  const count = iterationsUsed === 1 ? '1 version' : `${iterationsUsed} versions`;
  return [...lines, `after ${count}: ${String(finalOutput)}`];
}

async function main(): Promise<void> {
  const worker = await createWorker({ actions: [javascriptSyntax] });
  const working = worker.run();
  const client = await ReflectionClient.connect();
  for (const spec of [codeByCriteria, codeWithValidator, textInDrafts]) {
    console.log([spec.name, ...(await showImprovement(client, spec))].join('\n'));
  }
  await client.close();
  worker.shutdown();
  await working;
}

if (require.main === module) void main();
