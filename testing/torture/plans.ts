import type { CommandName } from '../../src/loop/base/command-payloads';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { type LoopLabel, labelText } from './loop-label';
import { Random } from './random';

/** One sending of a command. Several of a plan share an id: only one may count. */
export interface PlannedCommand {
  id: string;
  name: CommandName;
  via: 'signal' | 'update';
  /** Milliseconds after the start was acknowledged. */
  afterMs: number;
  /** The iteration that it is for. */
  iteration?: number;
}

/** A loop of a torture run. The same seed and index give the same plan. */
export interface LoopPlan {
  loop: string;
  kind: 'judge' | 'schema' | 'actions' | 'long' | 'person' | 'background';
  spec: ReflectionSpec;
  commands: PlannedCommand[];
  /** Also told something after its end, which must be refused. */
  late: boolean;
}

/** Two of ten are long, so that continuing as new is always near; two are steered. */
const KINDS: LoopPlan['kind'][] = [
  'judge',
  'background',
  'person',
  'schema',
  'long',
  'background',
  'actions',
  'person',
  'judge',
  'long',
];

/** The model of specs that name none. */
export const WAITED_FOR_MODEL = 'waited-for';

/** The model that workers call in the background. */
export const BACKGROUND_MODEL = 'in-background';

/** Milliseconds that an answer takes, about: an id needs a second to reach the server, and then there is time for a kill. */
const BACKGROUND_SLOWNESS = [1_500, 3_500] as const;

/** One, or two, more than the 50 iterations of a run. */
const LONG = [55, 105];

/** No version passes. */
const NEVER = 1_000;

const DONE = { type: 'object', required: ['done'] };

/** Requests are told apart by the version that they show, and a new sample shows none. */
const SHOWS_THE_LAST = { strategy: 'incremental' } as const;

function judged(label: LoopLabel, maxIterations: number): ReflectionSpec {
  const text = labelText(label);
  return {
    generator: { action: 'llm.call', prompt: `${text} Write.` },
    revision: SHOWS_THE_LAST,
    evaluator: { type: 'llm' },
    task: text,
    maxIterations,
    convergence: false,
  };
}

/** Both the generator and the judge, or one of them. */
function inBackground(label: LoopLabel, random: Random): ReflectionSpec {
  const spec = judged({ ...label, slowMs: random.between(...BACKGROUND_SLOWNESS) }, 6);
  const model = BACKGROUND_MODEL;
  return random.pick<ReflectionSpec>([
    { ...spec, model },
    { ...spec, model, reflectionModel: WAITED_FOR_MODEL },
    { ...spec, reflectionModel: model },
  ]);
}

function checked(label: LoopLabel, maxIterations: number): ReflectionSpec {
  return {
    generator: { action: 'llm.call', prompt: `${labelText(label)} Write.` },
    revision: SHOWS_THE_LAST,
    evaluator: { type: 'schema', schema: DONE },
    maxIterations,
    convergence: false,
  };
}

function composed(label: LoopLabel, maxIterations: number): ReflectionSpec {
  return {
    generator: { action: 'compose', with: { loop: labelText(label) } },
    evaluator: { type: 'schema', schema: DONE },
    maxIterations,
    convergence: false,
  };
}

function steering(random: Random, loop: string): PlannedCommand[] {
  const name = random.pick(['accept', 'abort'] as const);
  const first = {
    id: `${loop}-a`,
    name,
    via: random.pick(['signal', 'update'] as const),
    afterMs: random.between(0, 4_000),
  };
  const again = (): PlannedCommand => ({
    ...first,
    via: random.pick(['signal', 'update'] as const),
    afterMs: first.afterMs + random.between(0, 400),
  });
  const other: PlannedCommand = { ...again(), id: `${loop}-b`, name: random.pick(['accept', 'abort'] as const) };
  return [first, ...Array.from({ length: random.between(0, 2) }, again), ...(random.next() < 0.4 ? [other] : [])];
}

function specOf(kind: LoopPlan['kind'], label: LoopLabel, random: Random): ReflectionSpec {
  switch (kind) {
    case 'schema':
      return checked(label, random.between(3, 6));
    case 'actions':
      return composed(label, 6);
    case 'long':
      // By a model every other time, so that tokens are carried from run to run.
      return random.pick([composed, checked])({ ...label, passAt: NEVER, slowMs: 0 }, random.pick(LONG));
    case 'background':
      return inBackground(label, random);
    case 'person':
      return judged({ ...label, passAt: NEVER, unreadableAt: 0 }, 8);
    default:
      return judged(label, 6);
  }
}

/** Refused each time, and repeated over several runs of the chain: its id must be remembered from run to run. */
function noise(loop: string): PlannedCommand[] {
  const stale = { id: `${loop}-n`, name: 'accept' as const, via: 'signal' as const, iteration: 10_000 };
  return [500, 2_000, 5_000, 9_000].map((afterMs) => ({ ...stale, afterMs }));
}

function commandsOf(kind: LoopPlan['kind'], loop: string, random: Random): PlannedCommand[] {
  if (kind === 'person') return steering(random, loop);
  // Their response is cancelled, or left alone.
  if (kind === 'background' && random.next() < 0.25) return steering(random, loop);
  return kind === 'long' && random.next() < 0.5 ? noise(loop) : [];
}

/** The plan of a loop. */
export function planOf(seed: number, index: number): LoopPlan {
  const random = Random.of(seed, index);
  const loop = `L${seed}-${index}`;
  const kind = KINDS[index % KINDS.length]!;
  const passAt = random.between(2, 5);
  const unreadableAt = random.next() < 0.3 ? random.between(1, passAt) : 0;
  const label: LoopLabel = { loop, passAt, unreadableAt, slowMs: random.between(100, 900) };
  return {
    loop,
    kind,
    spec: specOf(kind, label, random),
    commands: commandsOf(kind, loop, random),
    late: random.next() < 0.3,
  };
}
