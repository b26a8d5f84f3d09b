import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { loadSpec, ReflectionClient, schemaEvaluator } from '../../src';
import { defineAction } from '../../src/worker';
import { ANSWERED_MISTAKES } from '../../testing/build/reference/answered-mistakes';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const write = defineAction({ name: 'write', description: 'Writes.', input: z.unknown(), run: () => ({ day: 1 }) });
const spec = { generator: { action: 'write' }, evaluator: { type: 'regex', pattern: '1' }, maxIterations: 1 };

let world: LoopWorld;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'mistakes-'));
  world = await startWorld({ actions: [write] });
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

/** Starts a run with something that is wrong. */
const run = (given: unknown) => world.client.run(given as never);
const runWith = (more: object) => run({ ...spec, ...more });
const inState = (state: object) => runWith({ state });
const judged = (schema: unknown) => runWith({ evaluator: { type: 'schema', schema } });
function load(content: string | Buffer): Promise<unknown> {
  const file = path.join(folder, `${randomUUID()}.yaml`);
  writeFileSync(file, content);
  return loadSpec(file);
}

const MAKE: Record<keyof typeof ANSWERED_MISTAKES, () => unknown> = {
  bracesInPrompt: () => runWith({ generator: { action: 'llm.call', prompt: 'Answer like {{"score": 1}}' } }),
  largeSpec: () => inState({ text: 'x'.repeat(2_600_000) }),
  largerSpec: () => inState({ text: 'x'.repeat(5_000_000) }),
  otherFile: () => load('name: CI\non: [push]\njobs: { build: { runs-on: ubuntu } }\n'),
  unknownFile: () => load('steps: []\nretries: 3\n'),
  listFile: () => load('- task: Write.\n  evaluator: llm\n'),
  textFile: () => load('hello'),
  latin1File: () => load(Buffer.from('name: a\ntask: Gr\u00fc\u00dfe\n', 'latin1')),
  utf16File: () => load(Buffer.from('\ufefftask: hello\n', 'utf16le')),
  listAtRoot: () => run([spec]),
  promisedSpec: () => run(Promise.resolve(spec)),
  dateInState: () => inState({ at: new Date(0) }),
  mapInState: () => inState({ list: [1, new Map()] }),
  nanInState: () => inState({ mean: Number.NaN }),
  bigintInState: () => inState({ id: 1n }),
  loopInState() {
    const state: Record<string, unknown> = {};
    state['self'] = state;
    return inState(state);
  },
  zodWithoutDefine: () => judged(z.object({})),
  zodAsEvaluator: () => runWith({ evaluator: z.object({}) }),
  zod3: () => judged(z3.object({})),
  zod3Evaluator: () => schemaEvaluator(z3.object({}) as never),
  convergenceTrue: () => runWith({ convergence: true }),
  tooHigh: () => runWith({ qualityThreshold: 80 }),
  async closedClient() {
    const client = await ReflectionClient.connect({ address: world.address });
    await client.close();
    await client.start(spec as never);
  },
  undefinedRun: () => world.client.progress(undefined as never),
  promisedRun: () => world.client.accept(Promise.resolve('x') as never),
  async otherKind() {
    const { workflowId } = await world.client.pipelines.start({ nodes: [{ name: 'write', action: 'write' }] });
    await world.client.result(workflowId);
  },
};

const rows = Object.entries(ANSWERED_MISTAKES).map(([name, row]) => ({ name: name as keyof typeof MAKE, ...row }));

test.each(rows)(
  '$mistake is answered',
  async ({ name, type, answer }) => {
    const error: unknown = await Promise.resolve()
      .then(MAKE[name])
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toMatchObject({ type, message: expect.stringContaining(answer) });
    // No sentence of a library comes through.
    expect((error as Error).message).not.toMatch(/Invalid (?:input|option)|Cannot (?:read|destructure)/);
  },
  60_000,
);
