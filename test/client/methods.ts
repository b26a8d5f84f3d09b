import { type CallOptions, type ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';

export const spec: ReflectionSpec = {
  generator: { action: 'hears' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['nothing'] } },
  maxIterations: 1,
  review: { when: 'on_exhausted' },
};
const evaluation = { evaluator: { type: 'regex' as const, pattern: 'x' }, data: 'x' };
const correction = { corrector: { run: 'return 1', language: 'lua' as const }, data: 'x', errors: ['no'] };
const pipeline = { nodes: [{ name: 'one', run: 'return 1', language: 'lua' as const }] };
const task = { id: 'one', description: 'One', step: { run: 'return 1', language: 'lua' as const } };
const plan = { goal: 'Go', enableLlmReflection: false, plan: { id: 'p', tasks: [task] } };
const agents = { agents: [{ id: 'a', type: 'gauge' }] };
const event = { id: 'flood', kind: 'crisis' as const, year: 1 };
const guide = { name: 'guide' as const, payload: { id: 'mine', text: 'so' } };

async function all(entries: AsyncIterable<unknown>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const entry of entries) read.push(entry);
  return read;
}
type Call = (client: ReflectionClient, options: CallOptions) => Promise<unknown>;

type MethodOf<Part> = {
  [Name in keyof Part]: Part[Name] extends (...given: never[]) => unknown ? Name : never;
}[keyof Part];

/** The parts of the client for other kinds of run. */
export const PARTS = ['evaluations', 'corrections', 'plans', 'pipelines', 'agents', 'batches'] as const;

type PartMethod = {
  [Part in (typeof PARTS)[number]]: `${Part}.${Extract<MethodOf<ReflectionClient[Part]>, string>}`;
}[(typeof PARTS)[number]];

/** Every method of the client but `close` and `attach`, which ask no server, called with options: the compiler asks for those that a change adds. */
export const METHODS: Record<Exclude<MethodOf<ReflectionClient>, 'close' | 'attach'> | PartMethod, Call> = {
  start: (client, options) => client.start(spec, options),
  run: (client, options) => client.run(spec, options),
  runOnce: (client, options) => client.runOnce('it', spec, options),
  startOnce: (client, options) => client.startOnce('it', spec, options),
  get: (client, options) => client.get('it', options),
  startWithUpdate: (client, options) => client.startWithUpdate(spec, guide, options),
  result: (client, options) => client.result('it', options),
  accept: (client, options) => client.accept('it', { id: 'mine' }, options),
  answer: (client, options) => client.answer('it', { id: 'mine', to: 'question-1', text: 'yes' }, options),
  abort: (client, options) => client.abort('it', { id: 'mine' }, options),
  guide: (client, options) => client.guide('it', guide.payload, options),
  override: (client, options) => client.override('it', { id: 'mine', output: 1 }, options),
  extend: (client, options) => client.extend('it', { id: 'mine', iterations: 1 }, options),
  decide: (client, options) => client.decide('it', { id: 'mine', iteration: 1, decision: 'stop' }, options),
  reflect: (client, options) => client.reflect('it', { id: 'mine' }, options),
  progress: (client, options) => client.progress('it', options),
  history: (client, options) => client.history('it', options),
  report: (client, options) => client.report('it', options),
  stream: (client, options) => all(client.stream('it', options)),
  best: (client, options) => client.best('it', options),
  list: (client, options) => all(client.list(options)),
  evaluate: (client, options) => client.evaluate(evaluation, options),
  'evaluations.run': (client, options) => client.evaluations.run(evaluation, options),
  'evaluations.start': (client, options) => client.evaluations.start(evaluation, options),
  'corrections.run': (client, options) => client.corrections.run(correction, options),
  'corrections.start': (client, options) => client.corrections.start(correction, options),
  'plans.start': (client, options) => client.plans.start(plan, options),
  'plans.run': (client, options) => client.plans.run(plan, options),
  'plans.result': (client, options) => client.plans.result('it', options),
  'plans.progress': (client, options) => client.plans.progress('it', options),
  'pipelines.start': (client, options) => client.pipelines.start(pipeline, options),
  'pipelines.run': (client, options) => client.pipelines.run(pipeline, options),
  'pipelines.result': (client, options) => client.pipelines.result('it', options),
  'pipelines.progress': (client, options) => client.pipelines.progress('it', options),
  'agents.start': (client, options) => client.agents.start(agents, options),
  'agents.trigger': (client, options) => client.agents.trigger('it', event, options),
  'agents.finish': (client, options) => client.agents.finish('it', options),
  'agents.result': (client, options) => client.agents.result('it', options),
  'agents.progress': (client, options) => client.agents.progress('it', options),
  'agents.reflections': (client, options) => client.agents.reflections('it', options),
  'evaluations.startOnce': (client, options) => client.evaluations.startOnce('it', evaluation, options),
  'evaluations.runOnce': (client, options) => client.evaluations.runOnce('it', evaluation, options),
  'evaluations.get': (client, options) => client.evaluations.get('it', options),
  'evaluations.result': (client, options) => client.evaluations.result('it', options),
  'corrections.startOnce': (client, options) => client.corrections.startOnce('it', correction, options),
  'corrections.runOnce': (client, options) => client.corrections.runOnce('it', correction, options),
  'corrections.get': (client, options) => client.corrections.get('it', options),
  'corrections.result': (client, options) => client.corrections.result('it', options),
  'plans.startOnce': (client, options) => client.plans.startOnce('it', plan, options),
  'plans.runOnce': (client, options) => client.plans.runOnce('it', plan, options),
  'plans.get': (client, options) => client.plans.get('it', options),
  'pipelines.startOnce': (client, options) => client.pipelines.startOnce('it', pipeline, options),
  'pipelines.runOnce': (client, options) => client.pipelines.runOnce('it', pipeline, options),
  'pipelines.get': (client, options) => client.pipelines.get('it', options),
  'agents.startOnce': (client, options) => client.agents.startOnce('it', agents, options),
  'agents.runOnce': (client, options) => client.agents.runOnce('it', agents, options),
  'agents.get': (client, options) => client.agents.get('it', options),
  'agents.run': (client, options) => client.agents.run(agents, options),
  'batches.start': (client, options) => client.batches.start([{ id: 'one', state: {} }], spec, options),
  'batches.attach': (client, options) => client.batches.attach('it', options),
  'batches.progress': (client, options) => client.batches.progress('it', options),
  'batches.get': (client, options) => client.batches.get('it', options),
  'batches.result': (client, options) => client.batches.result('it', options),
  'batches.pause': (client, options) => client.batches.pause('it', options),
  'batches.resume': (client, options) => client.batches.resume('it', options),
  'batches.results': (client, options) => all(client.batches.results('it', options)),
};
