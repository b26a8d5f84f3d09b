import {
  allHandlersFinished,
  type ApplicationFailure,
  condition,
  makeContinueAsNewFunc,
  setHandler,
  setWorkflowOptions,
} from '@temporalio/workflow';
import type { AgentPreparation } from '../../activities/agents/protocol';
import { eventProblems } from '../../kinds/agents/state/agent-event';
import { hasRoomForEvent, populationSize, type PopulationSize } from '../../kinds/agents/state/event-load';
import { handleEvent } from '../../kinds/agents/state/handle-event';
import type { AgentEvent } from '../../kinds/agents/state/population';
import type {
  AgentReflectionReport,
  TriggerAnswer,
  PopulationProgress,
} from '../../kinds/agents/contract/agent-results';
import type { AgentReflectionSpec } from '../../kinds/agents/contract/agents';
import { canHandOverPopulation, carriedPopulation } from '../../kinds/agents/state/population-hand-over';
import { nextPopulationMove, type PopulationCircumstances } from '../../kinds/agents/state/population-moves';
import { omitNulls } from '../../loop/spec/omit-nulls';
import { renderKeptPage } from '../../loop/page/kept-page';
import { renderPopulationPage, populationProgress } from '../../kinds/agents/page/population-page';
import {
  answerAgain,
  concludeEvent,
  initialPopulation,
  isRepeatedEvent,
  noteRefusal,
  populationReport,
  type PopulationState,
  reflectionsPage,
  recordEvent,
  explainRefusal,
  markOfPopulation,
} from '../../kinds/agents/state/population-state';
import type { JsonObject } from '../../lib/json/json';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { unknownName } from '../../loop/commands/unknown-command';
import { historyLength, noteEvent } from '../shared/clock';
import {
  finishSignal,
  MESSAGES,
  populationProgressQuery,
  reflectionsQuery,
  triggerSignal,
  triggerUpdate,
} from './agent-messages';
import { onceAnActivation } from '../signals/once-an-activation';
import { keepFailedPage, keepPage, showPage, withRetry } from '../shared/kept-page';
import { progressGuard } from '../shared/progress-guard';
import { RunList } from '../shared/run-list';
import { permanentFailure, awaitPreparation } from '../shared/step-failure';
import { refuseUnknownMessages, takeEarlySignals } from '../signals/unknown-messages';
import { followingOptions, keepRules, shouldFollow, versioningOptions } from '../shared/versioning';
import { checkingActivities } from '../shared/activity-calls';
import { handOverCircumstances } from '../shared/hand-over';
import { reflectInBatches } from './agent-batches';

/** Events of a history after which a new run takes over, as soon as no sender waits for an answer. */
const HAND_OVER_AT_EVENTS = 2_000;
/** Events of a history after which senders that want an answer are asked to send again, so that the new run can take over. */
const REFUSE_SENDERS_AT_EVENTS = 3_500;
const MOST_REFLECTIONS = 5_000;
/** The maximum number of reflections in a run that no other run can take over. */
const FULL_REFLECTIONS = 100_000;

interface CarriedPopulation {
  state: PopulationState;
  preparation: AgentPreparation;
}

/** The state that message handlers work on: it must exist before the spec is prepared, so that no early event is lost. */
interface HandlerContext {
  state: PopulationState;
  isAgent(id: string): boolean;
  fits(): boolean;
  agents: number;
  size: PopulationSize;
  phase: PopulationProgress['phase'];
  show(): void;
  /** Shows the state later in this activation, once everything that arrived with the activation is taken. */
  showNews(): void;
  /** Numbers of events whose senders wait. */
  awaited: Set<number>;
  answers: Map<number, TriggerAnswer>;
}

function contextOf(spec: AgentReflectionSpec | undefined, state: PopulationState): HandlerContext {
  // It may be anything: it was not checked yet.
  const agents: unknown = spec?.agents;
  const ids = new Set(
    (Array.isArray(agents) ? (agents as unknown[]) : []).map((agent) => (agent as { id?: unknown })?.id),
  );
  const context: HandlerContext = {
    state,
    isAgent: (id) => ids.has(id),
    fits: () => true,
    agents: ids.size,
    size: populationSize(spec),
    phase: 'preparing',
    show: () => undefined,
    showNews: onceAnActivation(() => context.show()),
    awaited: new Set(),
    answers: new Map(),
  };
  return context;
}

function refusal(problems: readonly SpecProblem[], type = 'CommandRefused'): ApplicationFailure {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return permanentFailure(type, lines.join('; '), [problems]);
}

function problemsOf({ state, isAgent }: HandlerContext, value: unknown): SpecProblem[] {
  const problems = eventProblems(value, isAgent);
  const why = problems.length > 0 ? undefined : explainRefusal(state);
  return why === undefined ? problems : [{ path: '', message: why }];
}

/** When a new run is due, or will be once waiting events are dealt with. With no event before it, it is taken. */
function mustComeLater(context: HandlerContext, event: AgentEvent): boolean {
  if (historyLength().events >= REFUSE_SENDERS_AT_EVENTS) return true;
  const { isSuggested, isLong } = circumstancesOf(context, true);
  const waiting = context.state.waiting.map((each) => each.event);
  if (waiting.length === 0 && !isSuggested && !isLong) return false;
  return !hasRoomForEvent(historyLength(), context.size, waiting, event);
}

function validate(context: HandlerContext, value: unknown): void {
  if (isRepeatedEvent(context.state, value)) return;
  const problems = problemsOf(context, value);
  if (problems.length > 0) throw refusal(problems);
  if (!mustComeLater(context, value as AgentEvent) || !context.fits()) return;
  throw refusal(
    [{ path: '', message: 'the run is being handed over to a new one: send it again in a moment' }],
    'HandingOver',
  );
}

function takeTrigger(context: HandlerContext, value: unknown): void {
  noteEvent();
  const { state } = context;
  if (isRepeatedEvent(state, value)) return;
  const problems = problemsOf(context, value);
  if (problems.length === 0) recordEvent(state, value as JsonObject);
  else noteRefusal(state, problems);
  context.showNews();
}

const unknown = (name: string): string => unknownName(name, 'a population', ['trigger', 'finish']);

function setUpdateHandler(context: HandlerContext): void {
  const { state } = context;
  setHandler(
    triggerUpdate,
    async (value: AgentEvent) => {
      noteEvent();
      if (isRepeatedEvent(state, value)) {
        await condition(() => !state.waiting.some(({ event }) => event.id === value.id));
        return answerAgain(state, value.id!);
      }
      const number = recordEvent(state, value as unknown as JsonObject);
      context.awaited.add(number);
      await condition(() => context.answers.has(number));
      const answer = context.answers.get(number)!;
      context.answers.delete(number);
      return answer;
    },
    { validator: (value: unknown) => validate(context, value), description: MESSAGES.trigger },
  );
}

function serveMessages(context: HandlerContext): void {
  const trigger = (value: unknown): void => takeTrigger(context, value);
  const finish = (): void => void (context.state.finishing = true);
  const note = (name: string): void => {
    noteRefusal(context.state, [{ path: '', message: unknown(name) }]);
    context.showNews();
  };
  takeEarlySignals({ trigger, finish }, note, () => {
    setHandler(triggerSignal, trigger, { description: MESSAGES.trigger });
    setHandler(finishSignal, finish, { description: MESSAGES.finish });
    setUpdateHandler(context);
    refuseUnknownMessages(unknown, note);
  });
  setHandler(reflectionsQuery, (question) => reflectionsPage(context.state, question ?? {}), {
    description: MESSAGES.reflections,
  });
  const progress = () => withRetry(populationProgress(context.state, context.agents, context.phase));
  setHandler(populationProgressQuery, progress, { description: MESSAGES.progress });
}

function circumstancesOf({ state, answers, fits }: HandlerContext, hasWorked: boolean): PopulationCircumstances {
  const reflections = state.counts.reflections - state.carried.reflections;
  const circumstances = handOverCircumstances();
  return {
    ...circumstances,
    answers: answers.size,
    isLong: historyLength().events >= HAND_OVER_AT_EVENTS || reflections >= MOST_REFLECTIONS,
    isFull: circumstances.isFull || reflections >= FULL_REFLECTIONS,
    hasWorked,
    isBoundToBuild: shouldFollow(hasWorked),
    isUnawaited: allHandlersFinished(),
    fits,
  };
}

function tooLargeFailure({ state, agents }: HandlerContext): ApplicationFailure {
  const message =
    `the population's history is full, and its spec and state fit into no new run. ${state.counts.events} events were dealt ` +
    'with, and the details of this failure tell of the latest; give what is left to a population of fewer agents';
  const details = [{ step: 'population' }, populationReport(state, agents)];
  return permanentFailure('OutputTooLarge', message, details);
}

async function takeNextEvent(
  context: HandlerContext,
  { agents }: AgentReflectionSpec,
  { settings }: AgentPreparation,
): Promise<void> {
  const { state } = context;
  const population = { agents, settings };
  const numbered = state.waiting[0]!;
  context.phase = 'reflecting';
  const meeting = handleEvent(state, population, numbered.event);
  const answer = await reflectInBatches({ population, state, numbered }, meeting, context.show);
  concludeEvent(state, answer);
  if (context.awaited.delete(numbered.number)) context.answers.set(numbered.number, answer);
  context.phase = 'waiting';
  context.show();
}

/**
 * Runs agents of a simulation, which reflect on events. Runs until it is asked to finish, and continues as new when its
 * history grows long.
 *
 * @param carried the state that the previous run of the same chain passes on; leave it out when you start the workflow
 * @throws ApplicationFailure `InvalidSpec` or `UnknownModel`, before any paid call; `OutputTooLarge` if the history is full
 *   and the run cannot continue as new
 */
export async function agentReflection(
  given: AgentReflectionSpec,
  carried?: CarriedPopulation,
): Promise<AgentReflectionReport> {
  const spec = omitNulls(given);
  const context = contextOf(spec, keepRules(carried?.state ?? initialPopulation(), carried !== undefined));
  const { state } = context;
  serveMessages(context);
  const preparation =
    carried?.preparation ?? (await awaitPreparation(checkingActivities('prepare').prepareAgents({ spec })));
  const page = () =>
    renderPopulationPage(state, populationProgress(state, context.agents, context.phase), preparation.settings);
  context.show = () => showPage(page());
  const runList = new RunList(preparation);
  context.phase = 'waiting';
  if (!carried) runList.setStatus('running');
  context.show();
  const turn = progressGuard('A population');
  let hasWorked = false;
  context.fits = () => canHandOverPopulation(spec, preparation, state);
  const next = () => nextPopulationMove(state, circumstancesOf(context, hasWorked));
  try {
    for (let move = next(); move !== 'end'; move = next()) {
      turn([...markOfPopulation(state), context.answers.size]);
      if (move === 'hand_over') {
        const carry = { state: carriedPopulation(state, { spec, preparation }), preparation };
        await makeContinueAsNewFunc<typeof agentReflection>(followingOptions())(spec, carry);
      }
      if (move === 'full') throw tooLargeFailure(context);
      if (move === 'reflect') {
        hasWorked = true;
        await takeNextEvent(context, spec, preparation);
      } else await condition(() => next() !== move);
    }
    runList.setStatus('succeeded');
    await runList.waitUntilSet();
    context.show();
    await condition(allHandlersFinished);
  } catch (error) {
    keepFailedPage(error, page());
    throw error;
  }
  keepPage(renderKeptPage(page()));
  return populationReport(state, spec.agents.length);
}

setWorkflowOptions(versioningOptions, agentReflection);
