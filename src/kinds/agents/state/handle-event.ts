import { omitUndefined } from '../../../lib/base/defined';
import { fnv1a } from '../../../lib/base/hash';
import { budgetName, reachedBudget } from '../../../loop/limits/budget';
import { addImportance, insightImportance } from './agent-type';
import { labelInsight, type Occasion } from './insight-text';
import { pickBestMemories, readHappening, recallHappenings, HAPPENINGS, addInsight } from './run-memory';
import type { AgentEvent, PopulationSettings } from './population';
import type { AgentSpec } from '../contract/agents';
import type { TriggerAnswer, UsedMethod } from '../contract/agent-results';
import { noteReflection, type PopulationState } from './population-state';
import { explainSkip } from './should-reflect';
import { ReflectionTrigger } from '../base/defaults';
import { roundPercent } from '../../../lib/text/percent';

export interface Population {
  agents: readonly AgentSpec[];
  settings: PopulationSettings;
}

export interface Meeting {
  occasions: Occasion[];
  skipped: TriggerAnswer['skipped'];
}

/** The result of one agent's reflection. */
export interface Insight {
  text: string;
  method: UsedMethod;
  /** The reason why the model was not used although it should have been. */
  fellBack?: string;
  /** Its id in the worker's memory, if it has one. */
  id?: string;
}

function findConcernedAgents(agents: readonly AgentSpec[], { agentId, context }: AgentEvent): readonly AgentSpec[] {
  const named = agentId === undefined ? context?.agents : [agentId];
  if (!named) return agents;
  const ids = new Set(named);
  return agents.filter(({ id }) => ids.has(id));
}

function renderChange(share: number): string {
  return `${share > 0 ? '+' : ''}${roundPercent(share, 1)} %`;
}

function eventText({ context = {} }: AgentEvent): string | undefined {
  const { description, decision, failed, policyChangeMagnitude } = context;
  const parts = [
    ...(description?.trim() ? [description.trim()] : []),
    ...(decision === undefined ? [] : [`decision: ${decision}${failed ? ', which failed' : ''}`]),
    ...(policyChangeMagnitude === undefined ? [] : [`change of policy: ${renderChange(policyChangeMagnitude)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

const ownEntry = <T>(of: Record<string, T>, id: string): T | undefined => (Object.hasOwn(of, id) ? of[id] : undefined);

function importanceSum(state: PopulationState, { id, type }: AgentSpec, event: AgentEvent): number {
  const before = ownEntry(state.importance, id) ?? 0;
  // A periodic event adds no importance: nothing happened to the agent.
  if (event.kind === ReflectionTrigger.PERIODIC) return before;
  return addImportance(before, type, event.kind, event.context?.importance);
}

function occasionOf(
  state: PopulationState,
  { topK, seed }: PopulationSettings,
  { agent, place }: { agent: AgentSpec; place: number },
  event: AgentEvent,
): Occasion {
  const { id, type, attributes } = agent;
  const remembered = [...(ownEntry(state.insights, id) ?? []), ...recallHappenings(state.happened, agent, place)];
  return omitUndefined({
    agentId: id,
    agentType: type,
    year: event.year,
    trigger: event.kind,
    event: eventText(event),
    memories: pickBestMemories(remembered, event.year, topK),
    attributes,
    question: seed === undefined ? undefined : fnv1a(`${seed}/${id}/${event.year}`),
  });
}

/** Decides which agents reflect upon an event, by the rules, and with which memories; the event itself becomes a memory. */
export function handleEvent(state: PopulationState, { agents, settings }: Population, event: AgentEvent): Meeting {
  const { config } = settings;
  const meeting: Meeting = { occasions: [], skipped: [] };
  const places = new Map(agents.map(({ id }, place) => [id, place]));
  for (const agent of findConcernedAgents(agents, event)) {
    const sum = config.importanceThreshold === undefined ? undefined : importanceSum(state, agent, event);
    if (sum !== undefined) state.importance[agent.id] = sum;
    const { decision, failed, policyChangeMagnitude } = event.context ?? {};
    const context = { decision, failed, policyChangeMagnitude, importanceSum: sum };
    const why = explainSkip({ trigger: event.kind, year: event.year, agentType: agent.type, context }, config);
    if (why === undefined) {
      meeting.occasions.push(occasionOf(state, settings, { agent, place: places.get(agent.id)! }, event));
    } else meeting.skipped.push({ agentId: agent.id, why });
  }
  const happening = readHappening(event, agents);
  if (happening) state.happened = [...state.happened, happening].slice(-HAPPENINGS);
  return meeting;
}

export function findSpentBudget(state: PopulationState, { budget }: PopulationSettings): string | undefined {
  const reached = reachedBudget(budget, { tokenUsage: state.tokenUsage, startedAt: 0 }, 0);
  return reached && `the ${budgetName(reached)} is spent`;
}

/** Counts the model calls that may still be made; those of a batch are made at the same time. */
export function countCallsLeft({ tokenUsage }: PopulationState, { budget }: PopulationSettings): number {
  return budget?.modelCalls === undefined ? Infinity : Math.max(0, budget.modelCalls - tokenUsage.modelCalls);
}

function insightId(event: number, agentId: string): string {
  return `${event}/${agentId}`;
}

export function labelAndWeigh(
  { agentType, year, trigger }: Occasion,
  text: string,
  settings: PopulationSettings,
): { insight: string; importance: number } {
  return { insight: labelInsight(year, text), importance: insightImportance(agentType, trigger, settings.config) };
}

export function recordInsight(
  state: PopulationState,
  { agents, settings }: Population,
  event: { number: number; event: AgentEvent },
  occasion: Occasion,
  { text, method, fellBack, id = insightId(event.number, occasion.agentId) }: Insight,
): TriggerAnswer['reflected'][number] {
  const { agentId, agentType, year, trigger } = occasion;
  const { insight, importance } = labelAndWeigh(occasion, text, settings);
  if (!settings.memory) {
    const own = ownEntry(state.insights, agentId) ?? [];
    state.insights[agentId] = addInsight(own, { text: insight, year, importance }, agents.length);
  }
  // The events that led to this insight count no more.
  if (settings.config.importanceThreshold !== undefined) delete state.importance[agentId];
  const occasionOfIt = { agentId, agentType, year, kind: trigger, eventId: event.event.id };
  const told = { method, insight, insightId: id, importance, fellBack: fellBack?.slice(0, 200) };
  noteReflection(state, omitUndefined({ ...occasionOfIt, ...told }));
  return { agentId, insightId: id, method };
}
