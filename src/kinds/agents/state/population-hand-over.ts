import { reduceToFit, latestWithin, jsonBytes } from '../../../lib/json/json-bytes';
import { payloadLimit } from '../../../lib/limits/payload-limit';
import { dropOldest } from './run-memory';
import type { AgentReflectionSpec } from '../contract/agents';
import { type PopulationState, takeLatest } from './population-state';

/** Bytes of the log of reflections that a run passes on; of events, a third. */
const LOG_BYTES = 150_000;

/** Bytes of each of these when there is little room. */
const LEAST_BYTES = 50_000;

/** Bytes beside those that `countCarriedBytes` counts: events that wait, and the least of logs, ids and happenings. */
const ROOM_FOR_STATE = 550_000;

/** The most bytes that a spec may take of each handover, whatever happens to its population. */
export const MOST_CARRIED_BYTES = payloadLimit({}) - ROOM_FOR_STATE;

const ENTRY_BYTES = 30;

/** The spec itself, its configuration once more, counts by type, and sums of importance: none of them can be left out. */
export function countCarriedBytes(spec: AgentReflectionSpec): number {
  const { agents, config } = spec;
  const entries = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + jsonBytes(name) + ENTRY_BYTES, 0);
  const types = entries(new Set(agents.map(({ type }) => type)));
  const hasSums = config?.reflection.triggers?.importanceThreshold !== undefined;
  return jsonBytes(spec) + jsonBytes(config) + types + (hasSums ? entries(agents.map(({ id }) => id)) : 0);
}

/** Logs are cut: their beginnings stay in earlier histories. If it is too large, insights go first, then happenings, logs, known ids. */
export function carriedPopulation(state: PopulationState, beside: unknown = null): PopulationState {
  const carried = {
    ...state,
    events: takeLatest(state.events, LOG_BYTES / 3),
    reflections: takeLatest(state.reflections, LOG_BYTES),
    carried: { reflections: state.counts.reflections, events: state.taken - state.waiting.length },
  };
  const limit = payloadLimit({}) - jsonBytes([beside]);
  return reduceToFit(carried, limit, [
    (all) => ({ ...all, insights: dropOldest(all.insights, jsonBytes(all) - limit) }),
    (all) => ({ ...all, happened: latestWithin(all.happened, LEAST_BYTES) }),
    (all) => ({ ...all, events: takeLatest(all.events, 0), reflections: takeLatest(all.reflections, 0) }),
    (all) => ({ ...all, seenIds: latestWithin(all.seenIds, LEAST_BYTES) }),
  ]);
}

/** Whether a handover fits into a payload. A spec for which it never would was refused at its start. */
export function canHandOverPopulation(
  spec: AgentReflectionSpec,
  preparation: unknown,
  state: PopulationState,
): boolean {
  const carried = carriedPopulation(state, { spec, preparation });
  return jsonBytes([spec, { state: carried, preparation }]) <= payloadLimit({});
}
