import type { Preparation } from './loop-settings';
import type { LoopState } from './loop-state';
import { selectBest, wholeVersions } from './selection';
import { slimVersions, withoutOutput } from './slim-versions';
import type { ReflectionSpec } from './spec';

/** What one run of a chain hands to the next. */
export interface CarriedRun {
  state: LoopState;
  preparation: Preparation;
}

/** Bytes of what is told of earlier versions, beside the best and the latest, which travel whole. */
const CARRIED_BYTES = 64 * 1024;

/** The same where a step or a judge reads earlier outputs. They stand in two events of each hand-over, so not in all chains. */
const CARRIED_BYTES_FOR_READERS = 256 * 1024;

function readsEarlierOutputs(spec: ReflectionSpec, preparation: Preparation): boolean {
  const { revising, revision } = preparation.settings;
  const steps = [spec.generator, spec.corrector, spec.evaluator, preparation.actionNeeds];
  // Judges read these, too, and hooks and the built-in revision; older runs go on as they began.
  const others = revising?.goesByQuality ? [spec.task, spec.reflectionPrompt, spec.judge, spec.hooks] : [];
  if (revising?.goesByQuality && revision?.includePriorVersions) return true;
  const texts = JSON.stringify([...steps, ...others]);
  return /reflection_history|reflection_best\b/.test(texts);
}

/** The state that the next run starts from. Earlier outputs that do not fit stay in the histories of the runs that made them. */
export function carriedState(spec: ReflectionSpec, preparation: Preparation, state: LoopState): LoopState {
  const last = state.versions.at(-1);
  const { revising } = preparation.settings;
  const base = revising?.goesByQuality ? selectBest(wholeVersions(state.versions), 'highest_score') : undefined;
  const keep = new Set([state.bestIteration ?? 0, last?.iteration ?? 0, base?.iteration ?? 0]);
  const isRead = readsEarlierOutputs(spec, preparation);
  const outputs = preparation.settings.carriesOutputs ?? isRead;
  const versions = outputs
    ? state.versions
    : state.versions.map((version) => (keep.has(version.iteration) ? version : withoutOutput(version)));
  const { judgedAgain: _told, ...handedOver } = state;
  return {
    ...handedOver,
    carriedThrough: last?.iteration ?? 0,
    versions: slimVersions(versions, keep, isRead ? CARRIED_BYTES_FOR_READERS : CARRIED_BYTES),
  };
}

/** Iterations in one run at most: a history that people can still read. */
export const ITERATIONS_PER_RUN = 50;

/** True at a point where a new run may take over: nothing is under way, and nobody has asked for anything. */
export function isSafePoint(state: LoopState): boolean {
  const { accept, abort, overrides, reflect } = state.commands;
  if (state.pending || state.hint || state.unappliedEdit || state.stopped) return false;
  return !accept && !abort && !overrides && !reflect;
}

/** Iterations that the present run has made. */
export function iterationsOfRun(state: LoopState): number {
  return (state.versions.at(-1)?.iteration ?? 0) - state.carriedThrough;
}
