import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pc from 'picocolors';
import { installQuietRuntime } from '../../src/apps/cli/worker/quiet-runtime';
import { ReflectionClient } from '../../src/client';
import { issueIdentity } from '../../src/loop/state/evaluation';
import type { ReflectionResult } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { ReflectionVersion } from '../../src/loop/state/loop-state';
import { connectOrStart } from '../../src/apps/server';
import { createWorker } from '../../src/worker';
import { parseSpecFile } from '../../src/apps/yaml';
import { type Measures, meanOf } from './measures';
import { tableOf } from './table';

/** Iterations within which most tasks should be satisfactory, as in the simulation. */
const FEW_ITERATIONS = 3;
/** Scores of the same output may differ by this much. */
const AGREEMENT = 0.1;

const ROOT = join(__dirname, '..', '..');
/** Loops that need nothing but a model. */
const EXAMPLES = ['code-by-criteria.yaml', 'json-generation.yaml', 'summary-with-judge.yaml', 'tutorial-drafts.yaml'];

/** Index of the version that was the last with a better score than all before it. */
function lastRise(versions: readonly ReflectionVersion[]): number {
  let best = -1;
  let rise = 0;
  for (const [index, { evaluation }] of versions.entries()) {
    const score = evaluation.overallScore ?? 0;
    if (score <= best + 1e-9) continue;
    best = score;
    rise = index;
  }
  return rise;
}

function shareOf(gone: readonly boolean[]): number | undefined {
  return gone.length === 0 ? undefined : gone.filter(Boolean).length / gone.length;
}

/**
 * What can be known of one real loop: quality, and whether it is good, are what its own judges say. What nobody can say is
 * undefined.
 *
 * @param again the score of another judgement of what was returned; null when there was none
 */
export function measuresOf(result: ReflectionResult, again: number | null): Measures {
  const { versions, finalIteration } = result.history;
  const [draft] = versions;
  const final = versions.find(({ iteration }) => iteration === finalIteration);
  const score = final?.evaluation.overallScore ?? null;
  const draftScore = draft?.evaluation.overallScore ?? null;
  const left = new Set(final?.evaluation.issues.map(issueIdentity));
  const isGone = (issue: Parameters<typeof issueIdentity>[0]): boolean => !left.has(issueIdentity(issue));
  const byKey = new Map(
    versions.flatMap((version) => version.evaluation.issues.map((each) => [issueIdentity(each), each])),
  );
  const bases = new Set(versions.slice(1).map(({ iteration, basedOn }) => basedOn ?? iteration - 1));
  const told = new Map(
    versions
      .filter(({ iteration }) => bases.has(iteration))
      .flatMap((version) => version.evaluation.issues.map((each) => [issueIdentity(each), each])),
  );
  const [resolved, revised] = [shareOf([...byKey.values()].map(isGone)), shareOf([...told.values()].map(isGone))];
  const toImprove = draft !== undefined && !draft.evaluation.satisfactory && draftScore !== null && score !== null;
  return {
    ...(score === null ? {} : { quality: score }),
    good: Number(result.success),
    rounds: versions.length,
    calls: result.tokenUsage.modelCalls,
    tokens: result.tokenUsage.totalTokens,
    ...(toImprove ? { improved: Number(final?.evaluation.satisfactory || score > draftScore) } : {}),
    soon: Number(versions.slice(0, FEW_ITERATIONS).some(({ evaluation }) => evaluation.satisfactory)),
    ...(resolved === undefined ? {} : { resolved }),
    ...(revised === undefined ? {} : { revised }),
    ...(score === null || again === null ? {} : { agreed: Number(Math.abs(score - again) <= AGREEMENT + 1e-9) }),
    efficient: Number(versions.length - 1 <= lastRise(versions) + 1),
  };
}

/** Judges what a loop returned once more. */
async function judgedAgain(
  client: ReflectionClient,
  spec: ReflectionSpec,
  result: ReflectionResult,
): Promise<number | null> {
  if (result.finalOutput === null) return null;
  const model = spec.judge?.model ?? spec.reflectionModel ?? spec.model;
  const { overallScore } = await client.evaluations.run({
    evaluator: spec.evaluator,
    data: result.finalOutput,
    state: { ...spec.state, ...(model === undefined ? {} : { model }) },
    ...(spec.task === undefined ? {} : { task: spec.task }),
  });
  return overallScore;
}

/** Runs loops with the model of the environment, and measures each. Nothing is kept but what was measured. */
export async function runReal(
  specs: Record<string, ReflectionSpec>,
  { address, times }: { address: string; times: number },
): Promise<Record<string, Measures>> {
  const place = { address, taskQueue: `bench-policy-${process.pid}-${Date.now()}` };
  const worker = await createWorker({ ...place, drainMs: 0 });
  const working = worker.run();
  const client = await ReflectionClient.connect(place);
  try {
    const rows: Record<string, Measures> = {};
    for (const [name, spec] of Object.entries(specs)) {
      const measures: Measures[] = [];
      for (let time = 0; time < times; time += 1) {
        const result = await client.run(spec);
        measures.push(measuresOf(result, await judgedAgain(client, spec, result)));
      }
      rows[name] = meanOf(measures);
    }
    return rows;
  } finally {
    await client.close();
    worker.shutdown();
    await working;
  }
}

async function exampleSpecs(): Promise<Record<string, ReflectionSpec>> {
  const message = await readFile(join(ROOT, 'examples', 'data', 'customer-message.txt'), 'utf8');
  const specs: Record<string, ReflectionSpec> = {};
  for (const file of EXAMPLES) {
    const { spec } = parseSpecFile(await readFile(join(ROOT, 'examples', file), 'utf8'), file);
    // An endpoint that does not answer is tried for an hour otherwise.
    const limited = { ...spec, timeouts: { ...spec.timeouts, retryFor: '2m' } };
    specs[basename(file, '.yaml')] =
      file === 'json-generation.yaml' ? { ...limited, state: { ...limited.state, message } } : limited;
  }
  return specs;
}

/** True when a model is configured, or loops of it are counted, and nothing is asked of the simulation. */
export function isForRealLoops(
  { times, ...simulated }: Record<string, string | boolean | undefined>,
  { OPENAI_API_KEY: key, OPENAI_BASE_URL: url }: NodeJS.ProcessEnv,
): boolean {
  if (times !== undefined) return true;
  return Boolean(key || url) && Object.values(simulated).every((value) => value === undefined);
}

/** The examples with the model of the environment. Returns the exit code. */
export async function benchReal(times: number): Promise<number> {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url } = process.env;
  if (!key && !url) {
    console.error(
      '--times counts loops with a model: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.',
    );
    return 1;
  }
  installQuietRuntime('ERROR');
  const server = await connectOrStart({ onProgress: (text) => console.error(pc.dim(text)) });
  try {
    const rows = await runReal(await exampleSpecs(), { address: server.address, times });
    const all = { ...rows, 'mean of examples': meanOf(Object.values(rows)) };
    console.log(tableOf('real loops', all, false));
    console.log(`The model of ${url ? 'OPENAI_BASE_URL' : 'OPENAI_API_KEY'}, ${times} × each example.`);
    console.log('Quality, and what is good, are what the loops’ own judges say: nobody knows the truth here.');
    return 0;
  } finally {
    await server.stop();
  }
}
