import { type ApplicationFailure, makeContinueAsNewFunc, setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import {
  type ContinueAsNewState,
  carriedState,
  heldBytes,
  isSafePoint,
  shouldHandOver,
} from '../../loop/moves/continue-as-new-state';
import { abortUnchecked, UNCHECKED_SETTINGS } from '../../loop/moves/aborted-unchecked';
import { asKnown, type CheckedBefore, isCheckedBefore } from '../../loop/spec/checked-before';
import type { LoopSettings, Preparation } from '../../loop/state/loop-settings';
import { openWaits } from '../../loop/state/parking';
import { initialState, type LoopState } from '../../loop/state/loop-state';
import type { Move } from '../../loop/moves/next-move';
import { inputLimit, payloadLimit } from '../../lib/limits/payload-limit';
import { failedAttempts, resultOf } from '../../loop/versions/result';
import type { ReflectionResult } from '../../loop/contract/results';
import { jsonBytes } from '../../lib/json/json-bytes';
import { type HandlerContext, waitForHandlers, serveMessages } from './loop-messages';
import type { LoopRun } from './loop-run';
import type { ReflectionSpecInput } from '../../loop/contract/short-spec';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { asMoved, type Expanded, expandSpec } from '../../loop/spec/short-form';
import { type ResolvedSpec, resolveSpec } from '../../loop/state/resolved-spec';
import { rememberingRules } from '../../loop/moves/stop-rules';
import { checkingActivities } from '../shared/activity-calls';
import { historyLength, isContinueAsNewSuggested, now, timestamp } from '../shared/clock';
import { fullHistoryCheck } from '../shared/full-history';
import { type LoopEnd, runLoop } from './loop';
import {
  keepDetails,
  KeptDetails,
  searchAttributesOf,
  showDetails,
  showUnchecked,
  addPage,
  tellFindings,
} from './run-details';
import { runUnlessAborted } from './loop-messages';
import { failureText } from '../shared/kept-page';
import { RunList } from '../shared/run-list';
import { permanentFailure, awaitPreparation, addUsageToFailure } from '../shared/step-failure';
import { waitUntilEndFits } from '../shared/scheduling';
import { isBoundToBuild, keepRules, nextRunOptions, versioningOptions } from '../shared/versioning';
import { renderCount } from '../../lib/text/counted';

/**
 * Checks a spec and finds out what the loop has to know, before anything is paid for.
 *
 * @param functions names of actions that stand for functions of the workflow
 * @throws ApplicationFailure what is wrong with the spec, as the caller sees it
 */
export function prepare(
  { value: spec, moved }: Pick<Expanded, 'value' | 'moved'>,
  summary = 'prepare',
  before?: CheckedBefore,
  functions: string[] = [],
): Promise<Preparation> {
  const more = functions.length === 0 ? {} : { functions };
  const input = { spec, ...asKnown(before?.known), ...asMoved(moved), ...more };
  return awaitPreparation(checkingActivities(summary, before).prepare(input));
}

function noneGoodEnoughFailure(
  state: LoopState,
  settings: LoopSettings,
  { history }: ReflectionResult,
): ApplicationFailure {
  const { reason, message, unanswered } = state.stopped!;
  const what = unanswered ? 'Nobody answered the review in time' : 'No version was good enough';
  const text = `${what}: ${reason} after ${renderCount(history.totalIterations, 'version')}.${message ? ` ${message}` : ''}`;
  return permanentFailure('ReflectionFailedError', text, [{ history: failedAttempts(state, settings) }]);
}

function mustRaise({ onFailure }: LoopSettings, { stopped }: LoopState, result: ReflectionResult): boolean {
  if (stopped?.unanswered) return true;
  return onFailure === 'raise' && !result.success && result.convergenceReason !== 'aborted';
}

export function finalResult(spec: ResolvedSpec, state: LoopState): ReflectionResult {
  const { settings } = spec;
  const result = resultOf(state, settings, now(), spec);
  if (mustRaise(settings, state, result)) throw noneGoodEnoughFailure(state, settings, result);
  return result;
}

function handOverQuestion(
  spec: ReflectionSpec,
  preparation: Preparation,
  state: LoopState,
  held: (state: LoopState) => number,
): (move: Move) => boolean {
  const limit = payloadLimit(preparation.settings);
  // A wait asks after each signal; it is looked at whole once a task, and after each version.
  const looked: { at?: string; fits?: boolean } = {};
  const fits = (): boolean => {
    const at = `${historyLength().events} ${state.versions.length}`;
    if (looked.at !== at) {
      looked.at = at;
      looked.fits = limit === Infinity || jsonBytes([spec, carriedRun(spec, preparation, state)]) <= limit;
    }
    return looked.fits!;
  };
  return (move) =>
    shouldHandOver(state, move, {
      heldBytes: () => held(state),
      isSuggested: isContinueAsNewSuggested(),
      isBoundToBuild: isBoundToBuild(),
      fits,
    });
}

function carriedRun(spec: ReflectionSpec, preparation: Preparation, state: LoopState): ContinueAsNewState {
  return { state: carriedState(spec, preparation, state), preparation };
}

/** A command that comes during the hand-over is carried out here: no size that was checked has a person's output. */
async function runToItsEnd(run: LoopRun, runList: RunList, argumentsOfNextRun: () => unknown[]): Promise<LoopEnd> {
  for (;;) {
    const end = await runLoop(run);
    if (runList.isAsking) await runList.waitUntilSet();
    if (end === 'ended') return end;
    await waitUntilEndFits(argumentsOfNextRun(), inputLimit(run.spec.settings));
    if (isSafePoint(run.state)) return end;
  }
}

/**
 * Runs a reflection loop: generates, evaluates and revises until a version is good enough or further attempts are pointless.
 *
 * @param given the spec, in its short or its long form
 * @param earlier the state that the previous run of the same chain passes on, or the findings of the pipeline or plan that
 *   starts this run; leave it out when you start the workflow
 */
export async function reflectionLoop(
  given: ReflectionSpecInput,
  earlier?: ContinueAsNewState | CheckedBefore,
): Promise<ReflectionResult> {
  const before = isCheckedBefore(earlier) ? earlier : undefined;
  const carried = before ? undefined : (earlier as ContinueAsNewState | undefined);
  // Not `now()`: in a replay the first task has another time than it had, where a task without commands followed it.
  const state = carried?.state ?? initialState(workflowInfo().startTime.getTime());
  const context: HandlerContext = { state: keepRules(state, carried !== undefined) };
  serveMessages(context);
  try {
    return await runOf(expandSpec(given), context, before, carried);
  } catch (error) {
    context.failure = error;
    await waitForHandlers();
    throw error;
  }
}

async function endUnchecked(state: LoopState): Promise<ReflectionResult> {
  const result = abortUnchecked(state, now(), timestamp());
  showUnchecked(state);
  await waitForHandlers();
  await waitUntilEndFits(result, inputLimit(UNCHECKED_SETTINGS));
  return result;
}

/** Returns the findings with the decision of the run that started this one, if that decides how it notifies of waits. */
function withDecision(preparation: Preparation, { notify }: Partial<CheckedBefore> = {}): Preparation {
  return notify === undefined ? preparation : { ...preparation, notify: notify || undefined };
}

async function runOf(
  given: Expanded,
  context: HandlerContext,
  before: CheckedBefore | undefined,
  carried: ContinueAsNewState | undefined,
): Promise<ReflectionResult> {
  const { state } = context;
  const prepared = carried?.preparation ?? (await runUnlessAborted(context, () => prepare(given, undefined, before)));
  if (!prepared) return endUnchecked(state);
  const preparation = withDecision(prepared, before);
  if (!carried) tellFindings(state, preparation);
  const spec = given.value as ReflectionSpec;
  const { settings } = preparation;
  const held = heldBytes();
  const handsOver = handOverQuestion(spec, preparation, state, held);
  const runList = new RunList(preparation);
  const versionsListed = () => (preparation.runList === 'each_version' ? state.versions.length : 0);
  let shown = carried ? versionsListed() : -1;
  const kept = new KeptDetails();
  const run: LoopRun = {
    spec: resolveSpec(spec, preparation),
    state,
    phase: 'preparing',
    stopRules: rememberingRules(),
    notify: preparation.notify,
    isServed: true,
    shouldContinueAsNew: (move) => !context.checks && handsOver(move),
    whyFull: fullHistoryCheck(),
    onChange: () => {
      showDetails(run);
      kept.show(run);
      // The run list changes when that is over.
      if (run.phase === 'remembering') return;
      // A run that waits says with what, and one that goes on says so.
      const news = state.stopped ? Infinity : run.phase === 'waiting' ? state.versions.length + 0.5 : versionsListed();
      if (news === shown) return;
      shown = news;
      runList.set(searchAttributesOf(state));
    },
  };
  context.run = run;
  const argumentsOfNextRun = (): [ReflectionSpec, ContinueAsNewState] => [spec, carriedRun(spec, preparation, state)];
  try {
    const end = await runToItsEnd(run, runList, argumentsOfNextRun);
    if (end === 'continue') {
      // What was answered is not to stand there as a wait until the next one.
      const waits = state.review !== undefined || openWaits(state).length > 0;
      if (!waits) kept.show(run, true);
      const options = nextRunOptions(waits);
      await makeContinueAsNewFunc<typeof reflectionLoop>(options)(...argumentsOfNextRun());
    }
    await waitForHandlers();
    const result = addPage(run, finalResult(run.spec, state));
    await waitUntilEndFits(result, inputLimit(settings));
    return result;
  } catch (error) {
    const failure = failureText(error);
    if (failure !== undefined) keepDetails(run, failure);
    throw addUsageToFailure(error, state.tokenUsage);
  }
}

setWorkflowOptions(versioningOptions, reflectionLoop);
