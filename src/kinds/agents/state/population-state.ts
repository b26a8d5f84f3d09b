import type { TurnMark } from '../../../lib/base/turns';
import type { Ruled } from '../../../loop/base/rules';
import type {
  ReflectionsPage,
  AgentReflection,
  AgentReflectionReport,
  PopulationCounts,
  TakenEvent,
  TriggerAnswer,
} from '../contract/agent-results';
import type { JsonObject } from '../../../lib/json/json';
import { omitUndefined } from '../../../lib/base/defined';
import { reduceToFit, pageOf, jsonBytes } from '../../../lib/json/json-bytes';
import { payloadLimit } from '../../../lib/limits/payload-limit';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { addUsage, NO_USAGE } from '../../../lib/base/tokens';
import type { TokenUsage } from '../../../lib/contract/values';
import { eventOf } from './agent-event';
import type { AgentMemory, HappenedEvent } from './run-memory';
import type { AgentEvent } from './population';

/** The state of a population beside its spec: plain JSON, and bounded. */
export interface PopulationState extends Ruled {
  /** Events that were taken and not handled yet; the first is the one under way. */
  waiting: { number: number; event: AgentEvent }[];
  /** Bytes of the waiting events as JSON, counted along. */
  waitingBytes: number;
  /** The number of events that were taken, in the whole chain. */
  taken: number;
  counts: PopulationCounts;
  events: TakenEvent[];
  reflections: AgentReflection[];
  /** The latest ids of events, so that none counts twice. */
  seenIds: string[];
  /** By agent: importance of its events since it last reflected. Kept only if a threshold needs it. */
  importance: Record<string, number>;
  insights: Record<string, AgentMemory[]>;
  happened: HappenedEvent[];
  tokenUsage: TokenUsage;
  /** The latest messages that were refused, with reasons. */
  refused: string[];
  /** Whether no more events are awaited. */
  finishing?: true;
  /** Number of the last reflection, and of the last event, that earlier runs of the chain have in their histories. */
  carried: { reflections: number; events: number };
}

const SEEN_IDS = 1_500;
const REFUSALS = 5;
const MOST_WAITING = 1_000;
/** The maximum size of the population's logs in a report, in bytes, usually and when there is little room. */
const REPORTED_BYTES = 900_000;
const LEAST_REPORTED_BYTES = 50_000;
/** Bytes of waiting events, above which no more are taken: they may have to travel to the next run, too. */
const WAITING_BYTES = 200_000;

export function initialPopulation(): PopulationState {
  return {
    waiting: [],
    waitingBytes: 0,
    taken: 0,
    counts: { events: 0, reflections: 0, skipped: 0, byKind: {}, byType: {}, byMethod: {} },
    events: [],
    reflections: [],
    seenIds: [],
    importance: {},
    insights: {},
    happened: [],
    tokenUsage: NO_USAGE,
    refused: [],
    carried: { reflections: 0, events: 0 },
  };
}

export function isRepeatedEvent({ seenIds }: PopulationState, value: unknown): boolean {
  const id = (value as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' && seenIds.includes(id);
}

export function explainRefusal({ finishing, waiting, waitingBytes }: PopulationState): string | undefined {
  if (finishing) return 'the population was told to finish';
  const isFull = waiting.length >= MOST_WAITING || waitingBytes > WAITING_BYTES;
  return isFull ? `${waiting.length} events wait already: send it again later` : undefined;
}

/** Takes an event that has no problems. Returns its number. */
export function recordEvent(state: PopulationState, value: JsonObject): number {
  const event = eventOf(value);
  state.taken += 1;
  state.waiting.push({ number: state.taken, event });
  state.waitingBytes += jsonBytes(event);
  if (event.id !== undefined) state.seenIds.push(event.id);
  if (state.seenIds.length > SEEN_IDS) state.seenIds.shift();
  return state.taken;
}

export function noteRefusal(state: PopulationState, problems: readonly SpecProblem[]): void {
  const text = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  state.refused = [...state.refused, text.slice(0, 300)].slice(-REFUSALS);
}

function count<Key extends string>(counts: Partial<Record<Key, number>>, key: Key): void {
  // A type may have the name of something that every object has, such as `constructor`.
  counts[key] = (Object.hasOwn(counts, key) ? counts[key]! : 0) + 1;
}

export function noteReflection(state: PopulationState, reflection: Omit<AgentReflection, 'number'>): void {
  const { counts } = state;
  counts.reflections += 1;
  count(counts.byKind, reflection.kind);
  count(counts.byType, reflection.agentType);
  count(counts.byMethod, reflection.method);
  state.reflections.push({ number: counts.reflections, ...reflection });
}

export function concludeEvent(state: PopulationState, { reflected, skipped }: TriggerAnswer): void {
  const { number, event } = state.waiting.shift()!;
  state.waitingBytes -= jsonBytes(event);
  const { id, kind, year, agentId, context = {} } = event;
  const { description, decision } = context;
  state.counts.events += 1;
  state.counts.skipped += skipped.length;
  const told = { number, id, kind, year, agentId, description: description?.slice(0, 200), decision };
  state.events.push(omitUndefined({ ...told, reflected: reflected.length, skipped: skipped.length }));
}

export function notePopulationUsage(state: PopulationState, usage: TokenUsage | undefined): void {
  state.tokenUsage = addUsage(state.tokenUsage, usage);
}

export function answerAgain({ reflections }: PopulationState, id: string): TriggerAnswer {
  return {
    reflected: reflections
      .filter(({ eventId }) => eventId === id)
      .map(({ agentId, insightId, method }) => ({ agentId, insightId, method })),
    skipped: [],
    repeated: true,
  };
}

/** The last entries of a log that fit, always with the latest. */
export function takeLatest<T>(log: readonly T[], bytes: number): T[] {
  let used = 0;
  const kept: T[] = [];
  for (const entry of log.toReversed()) {
    used += jsonBytes(entry);
    if (kept.length > 0 && used > bytes) break;
    kept.push(entry);
  }
  return kept.toReversed();
}

export function populationReport(state: PopulationState, agents: number): AgentReflectionReport {
  const { counts, tokenUsage } = state;
  const events = takeLatest(state.events, REPORTED_BYTES / 3);
  const reportWithin = (bytes: number): AgentReflectionReport => {
    const reflections = takeLatest(state.reflections, bytes);
    const omitted = { events: counts.events - events.length, reflections: counts.reflections - reflections.length };
    return { agents, counts, events, reflections, omitted, tokenUsage };
  };
  // Thousands of types may leave little room for anything else.
  return reduceToFit(reportWithin(REPORTED_BYTES), payloadLimit({}), [
    () => reportWithin(REPORTED_BYTES / 3),
    () => reportWithin(LEAST_REPORTED_BYTES),
  ]);
}

const PAGE_BYTES = 1024 * 1024;

/** The reflections of this run, from a number on, as many as fit; at least one, so that paging always goes on. */
export function reflectionsPage(
  { reflections, carried }: PopulationState,
  { from = 1, agentId }: { from?: number; agentId?: string } = {},
): ReflectionsPage {
  const isAsked = ({ number, agentId: by }: AgentReflection): boolean =>
    !(number < from) && number > carried.reflections && (agentId === undefined || by === agentId);
  const { page, next } = pageOf(reflections.filter(isAsked), PAGE_BYTES);
  return omitUndefined({ reflections: page, next: next?.number });
}

export function markOfPopulation({ taken, waiting, counts, finishing }: PopulationState): TurnMark {
  return [taken, waiting.length, counts.events, finishing];
}
