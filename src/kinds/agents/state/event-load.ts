import { isJsonObject } from '../../../lib/json/json';
import { EVENTS_OF_CALL, FULL_HISTORY, type HistoryLength } from '../../../loop/limits/run-account';
import { jsonBytes } from '../../../lib/json/json-bytes';
import type { AgentEvent } from './population';

/** Bytes that a model call of an agent adds: its prompt and its reply. A critic's words count twice. */
const BYTES_OF_CALL = 10_000;

export interface PopulationSize {
  agents: number;
  /** Bytes of all agents as JSON: each call is given those of its agent. */
  bytes: number;
  largestBytes: number;
  calls: number;
}

/** Measures a population by its spec as it was sent: events may arrive before the check. */
export function populationSize(spec: unknown): PopulationSize {
  const { agents, config } = isJsonObject(spec) ? spec : {};
  const list: unknown[] = Array.isArray(agents) ? agents : [];
  const sizes = list.map(jsonBytes);
  const reflection = isJsonObject(config) && isJsonObject(config['reflection']) ? config['reflection'] : {};
  const { method, critics } = reflection;
  return {
    agents: list.length,
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    largestBytes: sizes.reduce((most, bytes) => Math.max(most, bytes), 0),
    calls: method === 'template' ? 0 : 1 + (Array.isArray(critics) ? critics.length : 0),
  };
}

/** The most that an event adds to the history: at most half of one, so that a large event has its turn. */
function loadOf({ agents, bytes, largestBytes, calls }: PopulationSize, event: AgentEvent): HistoryLength {
  const named = event.agentId === undefined ? event.context?.agents?.length : 1;
  const concerned = Math.min(agents, named ?? agents);
  const given = Math.min(bytes, concerned * largestBytes);
  return {
    bytes: Math.min(FULL_HISTORY.bytes / 2, calls * (given + concerned * BYTES_OF_CALL)),
    events: Math.min(FULL_HISTORY.events / 2, EVENTS_OF_CALL * calls * concerned),
  };
}

/** Senders get their answer from the run that took their event, which does not continue as new before they have it. */
export function hasRoomForEvent(
  history: HistoryLength,
  size: PopulationSize,
  waiting: readonly AgentEvent[],
  event: AgentEvent,
): boolean {
  const total = { ...history };
  for (const each of [...waiting, event]) {
    const { bytes, events } = loadOf(size, each);
    total.bytes += bytes;
    total.events += events;
  }
  return total.bytes <= FULL_HISTORY.bytes && total.events <= FULL_HISTORY.events;
}
