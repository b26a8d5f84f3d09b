import type { ConvergenceReason } from '../../src/loop/base/convergence';
import type { Json } from '../../src/lib/json/json';
import { RULE_REASONS } from '../../src/loop/moves/stop-rules';
import { isModelCall } from '../../src/loop/spec/steps';
import type { ReflectionResult } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { Step } from '../../src/loop/contract/steps';
import type { ReflectionVersion } from '../../src/loop/state/loop-state';
import { neverPasses, notAsScripted } from './script-of-steps';

const DEFAULT_ITERATIONS = 3;
/** Beside it in a result, another output that is as large does not fit. */
const LARGE_CHARACTERS = 600_000;

/** An output that does not fit into one call beside the state cannot be judged. */
const CALL_CHARACTERS = 1_900_000;

/** What of a loop's result can be told from its spec and from what the harness does. */
export interface LoopCase {
  spec: ReflectionSpec;
  /** Reasons for which it may stop, where the harness steers it; default: those that the spec leaves possible. */
  reasons?: readonly ConvergenceReason[];
}

/** Returns whether no output of a spec can pass. */
function isRefused({ evaluator, judge }: ReflectionSpec): boolean {
  return judge?.relaxation === undefined && [evaluator].flat().some(neverPasses);
}

/** Why a loop that nobody steers may stop. */
function possibleReasons(spec: ReflectionSpec): Set<ConvergenceReason> {
  const { budget = {}, review, hooks, convergence } = spec;
  const possible = new Set<ConvergenceReason>(['max_iterations', 'blocked', 'error']);
  if (!isRefused(spec)) possible.add('quality_met');
  if (convergence !== false) for (const reason of RULE_REASONS) possible.add(reason);
  if (budget.tokens !== undefined) possible.add('token_budget');
  if (budget.usd !== undefined) possible.add('cost_budget');
  if (budget.modelCalls !== undefined) possible.add('call_budget');
  if (budget.wallClock !== undefined) possible.add('time_budget');
  if (review) for (const reason of ['review_timeout', 'stopped', 'aborted'] as const) possible.add(reason);
  if (hooks) possible.add('stopped');
  return possible;
}

/** The step that made a version, by where it came from; undefined for a person's own output. */
function makerOf(
  { generator, corrector }: ReflectionSpec,
  version: Pick<ReflectionVersion, 'origin'>,
): Step | undefined {
  if (version.origin === 'override') return undefined;
  return version.origin === 'revision' ? (corrector ?? generator) : generator;
}

/** Where a version comes from that a result has no room for. */
function originOf({ generator, corrector }: ReflectionSpec, iteration: number): Pick<ReflectionVersion, 'origin'> {
  if (iteration === 1) return { origin: 'draft' };
  const isRevised = corrector ? corrector.mode !== 'hint' : isModelCall(generator);
  return { origin: isRevised ? 'revision' : 'regeneration' };
}

/** In what an output of a loop is not what its script makes in an iteration. */
export function wrongOutput(
  spec: ReflectionSpec,
  iteration: number,
  output: Json,
  version: Pick<ReflectionVersion, 'origin'> = originOf(spec, iteration),
): string | undefined {
  const maker = makerOf(spec, version);
  return maker && notAsScripted(maker, iteration, output);
}

/** Of versions that are all judged alike, the iteration that is handed back. */
export function chosenOfEqual({ bestVersionSelection: by, onFailure }: ReflectionSpec, last: number): number {
  const isLatest = by === 'latest' || by === 'weighted_recency' || onFailure === 'return_last';
  return isLatest ? last : 1;
}

/** Returns whether each version is judged alike: by one action, which refuses it. */
export function judgesAlike({ evaluator, judge, triggers }: ReflectionSpec): boolean {
  const [only, ...others] = [evaluator].flat();
  return others.length === 0 && !judge && !triggers && only?.type === 'function' && neverPasses(only);
}

function* wrongOutputs(result: ReflectionResult, spec: ReflectionSpec): Iterable<string | undefined> {
  const { finalOutput, bestOutput, history } = result;
  const { versions, finalIteration, bestIteration } = history;
  const byIteration = new Map(versions.map((version) => [version.iteration, version]));
  for (const { iteration, output, omittedBytes, origin } of versions) {
    if (omittedBytes === undefined) yield wrongOutput(spec, iteration, output, { origin });
  }
  const isHandedBack = (iteration: number | null, output: Json): string | undefined =>
    iteration === null ? undefined : wrongOutput(spec, iteration, output, byIteration.get(iteration));
  yield isHandedBack(finalIteration, finalOutput);
  // Of two that are too large together, the one that is handed back stays, also where both are the same.
  const isLeftOut = bestOutput === null && JSON.stringify(finalOutput).length > LARGE_CHARACTERS;
  if (!isLeftOut) yield isHandedBack(bestIteration, bestOutput);
}

function* wrongCounts(result: ReflectionResult, { spec, reasons }: LoopCase): Iterable<string | false> {
  const { convergenceReason: reason, iterationsUsed: used, history, success, exhausted, finalEvaluation } = result;
  const most = spec.maxIterations ?? DEFAULT_ITERATIONS;
  const possible = reasons ? new Set(reasons) : possibleReasons(spec);
  const order = history.versions.map(({ iteration }) => iteration);
  yield !possible.has(reason) && `it stopped for ${reason}, which its spec leaves no room for`;
  yield (
    history.convergenceReason !== reason && `its history says ${history.convergenceReason}, and the result ${reason}`
  );
  yield (
    history.totalIterations !== used && `its history has ${history.totalIterations} iterations, and the result ${used}`
  );
  yield (
    order.some((iteration, index) => iteration <= (order[index - 1] ?? 0) || iteration > used) &&
    `its versions are ${order.join(', ').slice(0, 100)} of ${used}`
  );
  yield success === exhausted && `it is ${success ? 'both' : 'neither'} a success and exhausted`;
  yield (
    reason === 'quality_met' && finalEvaluation?.satisfactory !== true && 'quality_met, and the final one did not pass'
  );
  yield isRefused(spec) && success && !reasons && reason !== 'review_timeout' && 'a success, and nothing can pass';
  if (reasons) return;
  yield used > most && `${used} iterations of at most ${most}`;
  yield reason === 'max_iterations' && used !== most && `max_iterations after ${used} of ${most}`;
  const isWithoutDraft = reason === 'aborted' && used === 0;
  if (!judgesAlike(spec) || isWithoutDraft) return;
  const chosen = chosenOfEqual(spec, used);
  yield history.finalIteration !== chosen && `iteration ${history.finalIteration} is handed back instead of ${chosen}`;
  const isTooLarge = JSON.stringify(result.finalOutput).length + JSON.stringify(spec).length > CALL_CHARACTERS;
  const outcomes: unknown[] = ['fail', ...(isTooLarge ? ['inconclusive'] : [])];
  yield (
    !outcomes.includes(finalEvaluation?.outcome) &&
    `the final one is judged ${finalEvaluation?.outcome} instead of fail`
  );
}

/** In what the result of a loop is not what its spec and the script of its steps lead to. */
export function wrongInLoop(result: ReflectionResult, loop: LoopCase): string[] {
  const found = [...wrongCounts(result, loop), ...wrongOutputs(result, loop.spec)];
  return found.filter((text) => typeof text === 'string');
}
