import { log, workflowInfo } from '@temporalio/workflow';
import { COMMAND_NAMES, type CommandName, type CommandPayloads } from '../../loop/base/command-payloads';
import { omitUndefined } from '../../lib/base/defined';
import { historyPage } from '../../loop/versions/history-page';
import { isJsonObject } from '../../lib/json/json';
import { initialState, type LoopState } from '../../loop/state/loop-state';
import { warnLast } from '../../loop/state/notes';
import { noteFindings } from '../../loop/state/unfinished-iteration';
import type { Progress, ReflectionResult } from '../../loop/contract/results';
import { type ResolvedSpec, resolveSpec } from '../../loop/state/resolved-spec';
import type { ReflectionSpecInput } from '../../loop/contract/short-spec';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { expandSpec } from '../../loop/spec/short-form';
import type { TypedSpec } from '../../loop/spec/typed';
import {
  functionActions,
  plannedFunctions,
  type SpecWithFunctions,
  specWithFunctions,
} from '../../loop/moves/functions';
import { rememberingRules } from '../../loop/moves/stop-rules';
import { FULL_FOR_GUESTS, isFull } from '../../loop/limits/run-account';
import { abortUnchecked } from '../../loop/moves/aborted-unchecked';
import { unknownCommand } from '../../loop/commands/unknown-command';
import { takeCommandsInBulk } from '../signals/bulk-handlers';
import { labelledSummary } from './evaluation-input';
import type { LoopRun, ReflectionHooks } from './loop-run';
import { fullHistoryCheck } from '../shared/full-history';
import { historyLength, noteEvent, now, timestamp } from '../shared/clock';
import { permanentFailure } from '../shared/step-failure';
import { runLoop } from './loop';
import type { HistoryPage } from '../messages';
import { type HandlerContext, progress, receive, setHandlers, runUnlessAborted } from './loop-messages';
import { finalResult, prepare } from './reflection-loop';
import { tellFindings } from './run-details';
import { keepRules } from '../shared/versioning';

/** It cannot continue as new by itself, and the size of a history is limited. */
const ITERATIONS_WITHIN = 200;

/**
 * The result of a loop with a typed spec inside a workflow, where no schema can parse it: on success the output is what the schema
 * evaluator passed, or what a person accepted. Otherwise it is any JSON.
 */
export type TypedResult<Wire> = (ReflectionResult<Wire> & { success: true }) | (ReflectionResult & { success: false });

/** A loop that runs inside the workflow that started it. */
export interface ReflectionHandle<Result = ReflectionResult> {
  /**
   * The loop's result. Await it before the workflow ends or continues as new, because the loop ends with the workflow.
   *
   * Rejects with an `ApplicationFailure` whose type is part of the contract: `InvalidSpec`, `UnknownAction`,
   * `UnknownModel`, `ReflectionFailedError` under `onFailure: raise`, or the type of the draft's failure. Also rejects
   * with an error that a hook threw, or with a cancellation if the scope in which the loop was started is cancelled.
   */
  readonly result: Promise<Result>;
  /** The state of the loop. */
  progress(): Progress;
  /** The versions from an iteration on (default: 1), as many as fit into the answer of a query. */
  history(from?: number): HistoryPage;
  /** Sends a command to the loop. Returns the reason if it was refused, and undefined if it was accepted. */
  send<Name extends CommandName>(name: Name, payload?: CommandPayloads[Name]): string | undefined;
  /**
   * Sets the signals, updates and queries of `reflectionLoop` (`accept`, `abort`, `progress`, …) on the workflow, for
   * this loop. A workflow has one handler for each name, so of several loops the last one to call this has them.
   */
  serveMessages(): void;
}

/** Characters of a name that stand before each summary: a timeline has short lines. */
const TITLE_LENGTH = 40;

function titleOf(spec: unknown): string {
  const name = (spec as { name?: unknown } | null | undefined)?.name;
  if (typeof name !== 'string') return '';
  const characters = Array.from(name.replace(/\s+/g, ' ').trim());
  return characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH - 1).join('')}…` : characters.join('');
}

function limitIterations(maxIterations: number): void {
  if (maxIterations <= ITERATIONS_WITHIN) return;
  const message = `at most ${ITERATIONS_WITHIN} inside another workflow, which the loop cannot continue as new; start reflectionLoop as a child workflow for more`;
  const path = '/maxIterations';
  throw permanentFailure('InvalidSpec', `The spec has 1 mistake:\n${path}: ${message}`, [[{ path, message }]]);
}

function warnAboutHistory(state: LoopState, { name }: ResolvedSpec): void {
  const { bytes, events } = FULL_FOR_GUESTS;
  const length = historyLength();
  if (!isFull(length, { bytes: bytes / 2, events: events / 2 })) return;
  const text = `the history of the workflow grows long; its loops end at ${bytes} bytes or ${events} events`;
  if (state.versions.some(({ warnings }) => warnings.includes(text))) return;
  warnLast(state, text);
  log.warn(text, { spec: name, ...length });
}

function warnAboutQuestions(state: LoopState, { name, settings: { questions } }: ResolvedSpec): void {
  const { asks, approvals = [] } = questions ?? {};
  const offered = asks ? ['the tool ask_person is not offered'] : [];
  const made = approvals.length > 0 ? [`calls of ${approvals.join(', ')} that need approval are not made`] : [];
  const what = [...offered, ...made].join(', and ');
  if (what === '') return;
  const text = `${what}, because no person can answer: start the loop with startReflection, and call serveMessages() or send()`;
  noteFindings(state, { warnings: [text] });
  log.warn(text, { spec: name });
}

function warnAboutReview(state: LoopState, { name }: ResolvedSpec): void {
  const text =
    'it waits for a person, and nobody can answer: start the loop with startReflection, and call serveMessages() or send()';
  if (state.versions.some(({ warnings }) => warnings.includes(text))) return;
  warnLast(state, text);
  log.warn(text, { spec: name });
}

async function runWithin(
  context: HandlerContext,
  asked: SpecWithFunctions,
  hooks: ReflectionHooks | undefined,
  isReachable: boolean,
) {
  const { state } = context;
  const given = expandSpec(specWithFunctions(asked, hooks));
  const functions = functionActions(hooks);
  const title = titleOf(given.value);
  const summary = labelledSummary(title, 'prepare');
  const preparation = await runUnlessAborted(context, () => prepare(given, summary, undefined, functions));
  if (!preparation) return abortUnchecked(state, now(), timestamp());
  tellFindings(state, preparation);
  limitIterations(preparation.settings.maxIterations);
  const settings = { ...preparation.settings, mostIterations: ITERATIONS_WITHIN };
  const spec = resolveSpec(given.value as ReflectionSpec, { ...plannedFunctions(preparation, functions), settings });
  if (!isReachable) warnAboutQuestions(state, spec);
  let warned = false;
  const whyFull = fullHistoryCheck(FULL_FOR_GUESTS);
  const run: LoopRun = {
    spec,
    state,
    phase: 'preparing',
    stopRules: rememberingRules(),
    title,
    hooks,
    // No user can answer a loop that cannot be reached.
    ...(isReachable && { notify: preparation.notify, isServed: true }),
    ...(functions.length > 0 && { functions: hooks }),
    whyFull: () => {
      const why = whyFull();
      if (why === undefined) warnAboutHistory(state, spec);
      return why;
    },
    // The page and the search attributes are the caller's own.
    onChange: () => {
      if (run.phase === 'waiting' && !isReachable) warnAboutReview(state, spec);
      if (warned || !workflowInfo().continueAsNewSuggested) return;
      warned = true;
      log.warn('This history grows long, and a loop inside a workflow cannot continue as new', { spec: spec.name });
    },
  };
  context.run = run;
  await runLoop(run);
  return finalResult(spec, state);
}

/** A name may come from outside: an unknown one must not fail the workflow's tasks forever. */
function send(context: HandlerContext, name: CommandName, payload: unknown): string | undefined {
  if (!COMMAND_NAMES.includes(name)) return unknownCommand(name);
  // The record of commands holds JSON, where a field that is undefined is not there.
  return receive(context, name, isJsonObject(payload) ? omitUndefined(payload) : payload, 'signal');
}

/**
 * Starts a loop inside the calling workflow, and returns at once. Several loops can run in parallel. It sets no
 * handlers, search attributes or details of the workflow. The worker needs `ReflectionPlugin`.
 */
export function startReflection<Wire>(
  spec: TypedSpec<Wire, unknown>,
  hooks?: ReflectionHooks,
): ReflectionHandle<TypedResult<Wire>>;
export function startReflection(spec: ReflectionSpecInput, hooks?: ReflectionHooks): ReflectionHandle;
export function startReflection(spec: SpecWithFunctions, hooks: ReflectionHooks): ReflectionHandle;
export function startReflection(spec: SpecWithFunctions, hooks?: ReflectionHooks): ReflectionHandle {
  return begin(spec, hooks, true);
}

function begin(spec: SpecWithFunctions, hooks: ReflectionHooks | undefined, isReachable: boolean): ReflectionHandle {
  noteEvent();
  const context: HandlerContext = { state: keepRules(initialState(now())) };
  const result = runWithin(context, spec, hooks, isReachable);
  // A caller that awaits it gets the failure; a loop that fails before anything awaits it must not fail the whole workflow.
  result.catch(() => undefined);
  return {
    result,
    progress: () => progress(context),
    history: (from) => historyPage(context.state, { from }),
    send: (name, payload) => send(context, name, payload),
    serveMessages() {
      setHandlers(context, 'at_once');
      takeCommandsInBulk();
    },
  };
}

/**
 * Runs a loop inside the calling workflow, and returns its result. Use `startReflection` to read the loop's progress or to
 * steer it: no user can answer a `review` of a loop that `reflect` runs. With a spec of `defineSpec`, its output has a type
 * where the loop succeeded.
 *
 * @throws the errors of `ReflectionHandle.result`
 */
export async function reflect<Wire>(
  spec: TypedSpec<Wire, unknown>,
  hooks?: ReflectionHooks,
): Promise<TypedResult<Wire>>;
export async function reflect(spec: ReflectionSpecInput, hooks?: ReflectionHooks): Promise<ReflectionResult>;
export async function reflect(spec: SpecWithFunctions, hooks: ReflectionHooks): Promise<ReflectionResult>;
export async function reflect(spec: SpecWithFunctions, hooks?: ReflectionHooks): Promise<ReflectionResult> {
  return begin(spec, hooks, false).result;
}
