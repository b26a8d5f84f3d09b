import { defineSearchAttributeKey } from '@temporalio/common';
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
} from '@temporalio/workflow';
import type { AgentPreparation } from '../../activities/protocol-agents';
import { eventProblems } from '../../domain/agents/agent-event';
import { hasRoomForEvent, populationSize, type PopulationSize } from '../../domain/agents/event-load';
import { meetEvent } from '../../domain/agents/meet-event';
import type {
  AgentEvent,
  AgentReflectionReport,
  AgentReflectionSpec,
  TriggerAnswer,
} from '../../domain/agents/population';
import { canHandOverPopulation, carriedPopulation } from '../../domain/agents/population-hand-over';
import { nextPopulationMove, type PopulationCircumstances } from '../../domain/agents/population-moves';
import { populationPage, populationProgress } from '../../domain/page/population-page';
import {
  answerAgain,
  concludeEvent,
  initialPopulation,
  isRepeatedEvent,
  noteRefusal,
  type PopulationProgress,
  populationReport,
  type PopulationState,
  reflectionsPage,
  takeEvent,
  whyNotNow,
} from '../../domain/agents/population-state';
import type { JsonObject } from '../../domain/base/json';
import { isFull } from '../../domain/limits/run-account';
import type { RunStatus } from '../../domain/state/run-status';
import { SEARCH_ATTRIBUTES } from '../../domain/base/search-attributes';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { markOfPopulation } from '../../domain/page/turns';
import { unknownName } from '../../domain/commands/unknown-command';
import { reflectInBatches } from './agent-batches';
import { callPrepareAgents } from './agent-calls';
import { historyLength, isContinueAsNewSuggested, noteEvent } from '../shared/clock';
import {
  finishSignal,
  populationProgressQuery,
  reflectionsQuery,
  triggerSignal,
  triggerUpdate,
} from './agent-messages';
import { onceAnActivation } from '../signals/once-an-activation';
import { progressGuard } from '../shared/progress-guard';
import { RunList } from '../shared/run-list';
import { prepared } from '../shared/step-failure';
import { refuseUnknownMessages, takeEarlySignals } from '../signals/unknown-messages';
import { followingOptions, shouldFollow, versioningOptions } from '../shared/versioning';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');

/** Events of a history after which a new run takes over, as soon as nobody waits for an answer. */
const HAND_OVER_AT_EVENTS = 2_000;
/** Events of a history after which senders that want an answer are asked to send again, so that the new run can take over. */
const REFUSE_SENDERS_AT_EVENTS = 3_500;
/** Reflections that a run tells of: its memory stays small. */
const MOST_REFLECTIONS = 5_000;
/** The same where no run can take over. */
const FULL_REFLECTIONS = 100_000;

/** What one run of the chain hands to the next. */
interface CarriedPopulation {
  state: PopulationState;
  preparation: AgentPreparation;
}

/** What handlers work on: it must be there before the spec was prepared, so that no early event is lost. */
interface Desk {
  state: PopulationState;
  isAgent(id: string): boolean;
  /** Whether a new run can take over. */
  fits(): boolean;
  agents: number;
  size: PopulationSize;
  phase: PopulationProgress['phase'];
  /** Shows where it stands on the run's page. */
  show(): void;
  /** The same, later in this activation: what came with it is taken first. */
  showNews(): void;
  /** Numbers of events whose senders wait. */
  awaited: Set<number>;
  answers: Map<number, TriggerAnswer>;
}

function deskOf(spec: AgentReflectionSpec | undefined, state: PopulationState): Desk {
  // It may be anything: it was not checked yet.
  const agents: unknown = spec?.agents;
  const ids = new Set(
    (Array.isArray(agents) ? (agents as unknown[]) : []).map((agent) => (agent as { id?: unknown })?.id),
  );
  const desk: Desk = {
    state,
    isAgent: (id) => ids.has(id),
    fits: () => true,
    agents: ids.size,
    size: populationSize(spec),
    phase: 'preparing',
    show: () => undefined,
    showNews: onceAnActivation(() => desk.show()),
    awaited: new Set(),
    answers: new Map(),
  };
  return desk;
}

function refusal(problems: readonly SpecProblem[], type = 'CommandRefused'): ApplicationFailure {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return ApplicationFailure.create({ type, message: lines.join('; '), nonRetryable: true, details: [problems] });
}

/** Everything that speaks against an event now. */
function problemsOf({ state, isAgent }: Desk, value: unknown): SpecProblem[] {
  const problems = eventProblems(value, isAgent);
  const why = problems.length > 0 ? undefined : whyNotNow(state);
  return why === undefined ? problems : [{ path: '', message: why }];
}

/**
 * Whether a sender that wants an answer is asked to send again: when a new run is due, or will be once those that wait have been
 * dealt with. What nothing waits before is taken, however large it is.
 */
function mustComeLater(desk: Desk, event: AgentEvent): boolean {
  if (historyLength().events >= REFUSE_SENDERS_AT_EVENTS) return true;
  const { isSuggested, isLong } = circumstancesOf(desk, true);
  const waiting = desk.state.waiting.map((each) => each.event);
  if (waiting.length === 0 && !isSuggested && !isLong) return false;
  return !hasRoomForEvent(historyLength(), desk.size, waiting, event);
}

function validate(desk: Desk, value: unknown): void {
  if (isRepeatedEvent(desk.state, value)) return;
  const problems = problemsOf(desk, value);
  if (problems.length > 0) throw refusal(problems);
  if (!mustComeLater(desk, value as AgentEvent) || !desk.fits()) return;
  throw refusal(
    [{ path: '', message: 'the run is being handed over to a new one: send it again in a moment' }],
    'HandingOver',
  );
}

function takeTrigger(desk: Desk, value: unknown): void {
  noteEvent();
  const { state } = desk;
  if (isRepeatedEvent(state, value)) return;
  const problems = problemsOf(desk, value);
  if (problems.length === 0) takeEvent(state, value as JsonObject);
  else noteRefusal(state, problems);
  desk.showNews();
}

const unknown = (name: string): string => unknownName(name, 'a population', ['trigger', 'finish']);

function setUpdateHandler(desk: Desk): void {
  const { state } = desk;
  setHandler(
    triggerUpdate,
    async (value: AgentEvent) => {
      noteEvent();
      if (isRepeatedEvent(state, value)) {
        await condition(() => !state.waiting.some(({ event }) => event.id === value.id));
        return answerAgain(state, value.id!);
      }
      const number = takeEvent(state, value as unknown as JsonObject);
      desk.awaited.add(number);
      await condition(() => desk.answers.has(number));
      const answer = desk.answers.get(number)!;
      desk.answers.delete(number);
      return answer;
    },
    { validator: (value: unknown) => validate(desk, value) },
  );
}

function serveMessages(desk: Desk): void {
  const { state } = desk;
  const trigger = (value: unknown): void => takeTrigger(desk, value);
  const finish = (): void => void (state.finishing = true);
  const note = (name: string): void => {
    noteRefusal(state, [{ path: '', message: unknown(name) }]);
    desk.showNews();
  };
  takeEarlySignals({ trigger, finish }, note, () => {
    setHandler(triggerSignal, trigger);
    setHandler(finishSignal, finish);
    setUpdateHandler(desk);
    refuseUnknownMessages(unknown, note);
  });
}

function setHandlers(desk: Desk): void {
  const { state } = desk;
  serveMessages(desk);
  setHandler(reflectionsQuery, (question) => reflectionsPage(state, question ?? {}));
  setHandler(populationProgressQuery, () => populationProgress(state, desk.agents, desk.phase));
}

function reflectionsOfRun({ counts, carried }: PopulationState): number {
  return counts.reflections - carried.reflections;
}

/** What the run knows beside its state. */
function circumstancesOf({ state, answers, fits }: Desk, hasWorked: boolean): PopulationCircumstances {
  const reflections = reflectionsOfRun(state);
  return {
    answers: answers.size,
    isSuggested: isContinueAsNewSuggested(),
    isLong: historyLength().events >= HAND_OVER_AT_EVENTS || reflections >= MOST_REFLECTIONS,
    isFull: isFull(historyLength()) || reflections >= FULL_REFLECTIONS,
    hasWorked,
    isBoundToBuild: shouldFollow(hasWorked),
    isUnawaited: allHandlersFinished(),
    fits,
  };
}

/** What the server would end for its size ends with words, and with what was done. */
function tooLarge({ state, agents }: Desk): ApplicationFailure {
  const message =
    `the population's history is full, and its spec and state fit into no new run. ${state.counts.events} events were dealt ` +
    'with, and the details of this failure tell of the latest; give what is left to a population of fewer agents';
  const details = [{ step: 'population' }, populationReport(state, agents)];
  return ApplicationFailure.create({ type: 'OutputTooLarge', message, nonRetryable: true, details });
}

/** Deals with the event that waits longest, and answers who sent it. */
async function nextEvent(desk: Desk, { agents }: AgentReflectionSpec, { settings }: AgentPreparation): Promise<void> {
  const { state } = desk;
  const population = { agents, settings };
  const numbered = state.waiting[0]!;
  desk.phase = 'reflecting';
  const meeting = meetEvent(state, population, numbered.event);
  const answer = await reflectInBatches({ population, state, numbered }, meeting, desk.show);
  concludeEvent(state, answer);
  if (desk.awaited.delete(numbered.number)) desk.answers.set(numbered.number, answer);
  desk.phase = 'waiting';
  desk.show();
}

/**
 * Agents of a simulation that reflect upon what happens: lives until it is told to finish, and continues as new as often as it
 * takes.
 *
 * @param carried what the run before this one of the same chain hands over; starters leave it out
 * @throws ApplicationFailure `InvalidSpec` or `UnknownModel`, before anything is paid for; `OutputTooLarge` where the history is
 *   full and no run can take over
 */
export async function agentReflection(
  spec: AgentReflectionSpec,
  carried?: CarriedPopulation,
): Promise<AgentReflectionReport> {
  const desk = deskOf(spec, carried?.state ?? initialPopulation());
  const { state } = desk;
  setHandlers(desk);
  const preparation = carried?.preparation ?? (await prepared(callPrepareAgents(spec)));
  desk.show = () =>
    setCurrentDetails(populationPage(state, populationProgress(state, desk.agents, desk.phase), preparation.settings));
  const runList = new RunList(preparation);
  const list = (status: RunStatus) => runList.set([{ key: STATUS, value: status }]);
  desk.phase = 'waiting';
  if (!carried) list('running');
  desk.show();
  const turn = progressGuard('A population');
  let hasWorked = false;
  desk.fits = () => canHandOverPopulation(spec, preparation, state);
  const next = () => nextPopulationMove(state, circumstancesOf(desk, hasWorked));
  for (let move = next(); move !== 'end'; move = next()) {
    turn([...markOfPopulation(state), desk.answers.size]);
    if (move === 'hand_over') {
      const carry = { state: carriedPopulation(state, { spec, preparation }), preparation };
      await makeContinueAsNewFunc<typeof agentReflection>(followingOptions())(spec, carry);
    }
    if (move === 'full') throw tooLarge(desk);
    if (move === 'reflect') {
      hasWorked = true;
      await nextEvent(desk, spec, preparation);
    } else await condition(() => next() !== move);
  }
  list('succeeded');
  await runList.settled();
  desk.show();
  await condition(allHandlersFinished);
  return populationReport(state, spec.agents.length);
}

setWorkflowOptions(versioningOptions, agentReflection);
