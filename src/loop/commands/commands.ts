import {
  type AcceptPayload,
  type AnswerPayload,
  type CommandName,
  type CommandPayloads,
  type DecidePayload,
  type ExtendPayload,
  GUIDE_CHARACTERS,
  iterationOf,
  payloadProblem,
} from '../base/command-payloads';
import { isJson, isJsonObject, type Json } from '../../lib/json/json';
import { addExtensions, iterationLimit, MOST_ITERATIONS } from '../limits/budget';
import type { LoopSettings } from '../state/loop-settings';
import { currentIteration, type LoopState } from '../state/loop-state';
import { notePerson } from '../state/command-log';
import { answerWait } from '../state/parking';
import {
  addGuidance,
  addOverride,
  askToAbort,
  askToAccept,
  askToJudge,
  noteSteering,
  raiseLimits,
  rememberCommand,
  setDecision,
  settleReview,
} from '../state/requests';
import { answerProblem, readAnswer } from './answer';
import { limitOfReview } from './review';
import { findLift, reviewedVersion } from './available';
import { jsonBytes } from '../../lib/json/json-bytes';

export interface ReceivedCommand {
  name: CommandName;
  payload: Json | undefined;
  via: 'signal' | 'update';
  /** ISO 8601. */
  at: string;
}

/** Bytes of an override where the worker that prepared the run did not say how much fits. */
const OVERRIDE_BYTES = 1_900_000;

const WAITING_OVERRIDES = 10;

const WAITING_GUIDANCE = 4 * GUIDE_CHARACTERS;

const WAITING_GUIDES = 1_000;

function staleness(state: LoopState, name: CommandName, iteration: number | undefined): string | undefined {
  const current = currentIteration(state);
  const reviewed = name === 'accept' ? state.review?.version : undefined;
  if (iteration !== undefined && iteration === reviewed) return undefined;
  if (iteration === undefined || iteration === current) return undefined;
  return current === 0
    ? `there is no iteration ${iteration} yet`
    : `iteration ${iteration} is not the current one, which is ${current}${reviewed === undefined || reviewed === current ? '' : `, nor the one under review, which is ${reviewed}`}`;
}

function guideProblem({ guidance = [] }: LoopState, { text }: CommandPayloads['guide']): string | undefined {
  if (guidance.length >= WAITING_GUIDES) return `the next revision has been told ${guidance.length} texts already`;
  const waiting = guidance.reduce((sum, each) => sum + each.length, 0);
  return waiting + text.length > WAITING_GUIDANCE
    ? `the next revision has been told ${waiting} characters already; at most ${WAITING_GUIDANCE} are taken`
    : undefined;
}

function overrideProblem(
  { commands }: LoopState,
  { output }: CommandPayloads['override'],
  settings: LoopSettings | undefined,
): string | undefined {
  if (!isJson(output)) return 'override.output is nested too deeply';
  const bytes = jsonBytes(output);
  const most = settings?.maximumOutputBytes ?? OVERRIDE_BYTES;
  if (bytes > most) return `the output has ${bytes} bytes; at most ${most} can be handled`;
  return (commands.overrides?.length ?? 0) >= WAITING_OVERRIDES ? 'too many overrides wait already' : undefined;
}

function extendProblem(
  state: LoopState,
  { iterations, tokens, usd }: ExtendPayload,
  settings: LoopSettings | undefined,
): string | undefined {
  const asked = typeof tokens === 'number' ? 'tokens' : typeof usd === 'number' ? 'usd' : undefined;
  if (!settings) return asked ? 'the spec is being checked; send it again in a moment' : undefined;
  for (const [name, value, limit] of [
    ['tokens', tokens, settings.budget?.tokens],
    ['usd', usd, settings.budget?.usd],
  ] as const) {
    if (typeof value === 'number' && limit === undefined) return `the run has no limit of ${name} to extend`;
  }
  const limit = iterationLimit(settings, state);
  const { mostIterations: within } = settings;
  const loop = within === undefined ? 'a loop' : 'a loop inside another workflow';
  return typeof iterations === 'number' && limit + iterations > (within ?? MOST_ITERATIONS)
    ? `${loop} makes at most ${within ?? MOST_ITERATIONS} versions, and this one may make ${limit}`
    : undefined;
}

function decideProblem(
  state: LoopState,
  { decision }: DecidePayload,
  settings: LoopSettings | undefined,
): string | undefined {
  const limit = decision === 'continue' ? limitOfReview(state, settings) : undefined;
  if (!limit || !settings) return undefined;
  return findLift(state, settings, limit)
    ? `the run has reached its limit (${limit}): extend it, or override the output`
    : `the run has reached its limit (${limit}), and nothing lifts it: accept, override the output, or decide "stop"`;
}

function reflectProblem(state: LoopState): string | undefined {
  if (state.pending) return `version ${currentIteration(state)} is being judged already`;
  if (state.versions.length === 0) return 'there is no draft to judge yet';
  return state.commands.reflect || state.commands.overrides ? 'a version is about to be judged already' : undefined;
}

function acceptProblem(state: LoopState, given: AcceptPayload, via: 'signal' | 'update'): string | undefined {
  const { best, iteration } = given;
  if (best === true && typeof iteration === 'number') return 'accept takes "iteration" or "best", not both';
  return currentIteration(state) === 0 && via === 'update' ? 'there is no draft to accept yet' : undefined;
}

/** Its result is final; a run that is still there only stores what it learned, which may take long. */
function problemAtEnd({ reason, keeping }: NonNullable<LoopState['stopped']>, name: CommandName): string | undefined {
  if (keeping === undefined) return 'the run has ended';
  if (name === 'abort') return undefined;
  return `its result stands (${reason}): only what it learned is still being kept, and abort ends that`;
}

/** @param settings undefined while the spec is being checked */
export function commandProblem(
  state: LoopState,
  name: CommandName,
  payload: unknown,
  via: 'signal' | 'update',
  settings?: LoopSettings,
): string | undefined {
  const malformed = payloadProblem(name, payload);
  if (malformed) return malformed;
  const { stopped } = state;
  if (state.commands.abort && (!stopped || stopped.keeping !== undefined)) return 'the run is already being aborted';
  if (stopped) return problemAtEnd(stopped, name);
  if (name === 'abort') return undefined;
  const stale = staleness(state, name, iterationOf(payload));
  if (stale) return stale;
  const given = (payload ?? {}) as CommandPayloads[CommandName];
  // A question may be open while an `accept` waits for the draft.
  if (name === 'answer') return answerProblem(state, given as AnswerPayload);
  const early = name === 'accept' ? acceptProblem(state, given, via) : undefined;
  if (early ?? state.commands.accept) return early ?? `the run is already accepted${describeDecision(state)}`;
  const decided = decidedProblem(state, name, given);
  if (decided) return decided;
  return problemNow(state, name, given, settings);
}

function describeDecision({ decided }: LoopState): string {
  if (!decided) return '';
  return `: ${decided.by ?? 'somebody'} sent "${decided.name}" at ${decided.at}`;
}

/** Another decision ended the wait. Its author may change it, and a command that only adds to it is taken. */
function decidedProblem(state: LoopState, name: CommandName, given: CommandPayloads[CommandName]): string | undefined {
  const { decided } = state;
  if (!decided || (decided.by !== undefined && decided.by === given.by)) return undefined;
  if (decided.goesOn && (name === 'guide' || name === 'extend')) return undefined;
  const takesBest = name === 'accept' && (given as AcceptPayload).best === true;
  if (takesBest) return undefined;
  const instead = name === 'accept' ? '; {"best": true} ends the run with its best version all the same' : '';
  return `the review of version ${decided.version} is decided${describeDecision(state)}${instead}`;
}

const goesOn = ({ name, payload }: ReceivedCommand): boolean =>
  name === 'guide' ||
  name === 'extend' ||
  (name === 'decide' && isJsonObject(payload) && payload['decision'] === 'continue');

function noteDecision(state: LoopState, command: ReceivedCommand): void {
  const { name, payload, at } = command;
  if (name === 'override' || goesOn(command)) noteSteering(state);
  const { review } = state;
  if (!review || name === 'abort') return;
  const by = isJsonObject(payload) ? payload['by'] : undefined;
  settleReview(state, {
    version: reviewedVersion(review),
    name,
    at,
    ...(typeof by === 'string' && { by }),
    ...(goesOn(command) && { goesOn: true }),
  });
}

function problemNow(
  state: LoopState,
  name: CommandName,
  given: CommandPayloads[CommandName],
  settings: LoopSettings | undefined,
): string | undefined {
  switch (name) {
    case 'guide':
      return guideProblem(state, given as CommandPayloads['guide']);
    case 'override':
      return overrideProblem(state, given as CommandPayloads['override'], settings);
    case 'extend':
      return extendProblem(state, given as ExtendPayload, settings);
    case 'decide':
      return decideProblem(state, given as DecidePayload, settings);
    case 'reflect':
      return reflectProblem(state);
    default:
      return undefined;
  }
}

/** Whether a command with this id was carried out before, so that it has no effect now. */
export function isRepeated(state: LoopState, payload: unknown): boolean {
  const id = isJsonObject(payload) ? payload['id'] : undefined;
  return typeof id === 'string' && state.seenCommandIds.includes(id);
}

/** Whether a command that ends a run was accepted and has not taken effect yet. Other commands take effect at once. */
export function isDue({ commands, stopped }: LoopState, name: CommandName): boolean {
  if (name === 'abort') return commands.abort === true && (!stopped || stopped.keeping === false);
  return name === 'accept' && commands.accept !== undefined && !stopped;
}

function apply(state: LoopState, name: CommandName, given: CommandPayloads[CommandName], at: string): void {
  switch (name) {
    case 'abort':
      return askToAbort(state);
    case 'accept': {
      const { iteration, best } = given as AcceptPayload;
      const reviewed = best === true ? undefined : state.review?.version;
      return askToAccept(state, typeof iteration === 'number' ? iteration : reviewed);
    }
    case 'answer': {
      const answer = given as AnswerPayload;
      return answerWait(state, answer.to, readAnswer(answer, at));
    }
    case 'guide':
      return addGuidance(state, (given as CommandPayloads['guide']).text);
    case 'override':
      return addOverride(state, (given as CommandPayloads['override']).output);
    case 'extend':
      return raiseLimits(state, addExtensions(state.extended, given as ExtendPayload));
    case 'decide': {
      const { iteration, decision } = given as DecidePayload;
      return setDecision(state, { iteration, decision });
    }
    case 'reflect':
      askToJudge(state);
  }
}

export function receiveCommand(
  state: LoopState,
  command: ReceivedCommand,
  settings?: LoopSettings,
): string | undefined {
  if (isRepeated(state, command.payload)) return undefined;
  const why = commandProblem(state, command.name, command.payload, command.via, settings);
  notePerson(state, command, why);
  if (why !== undefined) return why;
  const payload = isJsonObject(command.payload) ? command.payload : {};
  rememberCommand(state, payload['id']);
  noteDecision(state, command);
  apply(state, command.name, payload as unknown as CommandPayloads[CommandName], command.at);
  return undefined;
}
