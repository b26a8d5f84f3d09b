import { omitUndefined } from '../../../lib/base/defined';
import { cutText } from '../../../lib/text/summary-text';
import { jsonBytes } from '../../../lib/json/json-bytes';
import { importanceProfile } from './agent-type';
import type { AgentEvent } from './population';

export interface AgentMemory {
  text: string;
  year: number;
  /** 0..1. */
  importance: number;
}

/** A happening, which the agents that it concerned remember. */
export interface HappenedEvent {
  text: string;
  year: number;
  kind: AgentEvent['kind'];
  importance?: number;
  /** The ids of the agents that it concerned. Default: all agents, or `members`. */
  agents?: string[];
  /**
   * The agents that it concerned, if they are many: a bit for each agent of the population, by its index, as hexadecimal
   * digits.
   */
  members?: string;
}

/** The most happenings that a population remembers; older ones are dropped. */
export const HAPPENINGS = 50;
const HAPPENING_CHARACTERS = 200;
/** Bytes of all insights that are kept in the run itself: they must fit into the handover to the next run. */
const INSIGHT_BYTES = 400_000;
const LONGEST_INSIGHT = 300;
const MOST_INSIGHTS = 20;

/** The factor by which a memory fades in a year. */
const FADES = 0.95;

/** The most names, and the most bytes of them, that are kept as they are; more are kept as a bit each. */
const NAMES = 100;
const NAME_BYTES = 2_000;

function membersOf(names: readonly string[], population: readonly { id: string }[]): string {
  const named = new Set(names);
  const digits = Array.from({ length: Math.ceil(population.length / 4) }, () => 0);
  for (const [place, { id }] of population.entries()) if (named.has(id)) digits[place >> 2]! |= 1 << (place & 3);
  return digits.map((digit) => digit.toString(16)).join('');
}

function isMember(members: string, place: number): boolean {
  return ((Number.parseInt(members[place >> 2] ?? '0', 16) >> (place & 3)) & 1) === 1;
}

export function readHappening(
  { kind, year, agentId, context = {} }: AgentEvent,
  population: readonly { id: string }[],
): HappenedEvent | undefined {
  const { description, importance } = context;
  // An agent that the event names decides, whatever the context says: the same rule finds the agents that reflect.
  const agents = agentId === undefined ? context.agents : [agentId];
  if (description === undefined || description.trim() === '') return undefined;
  const text = cutText(description.trim(), HAPPENING_CHARACTERS);
  const areMany = agents && (agents.length > NAMES || jsonBytes(agents) > NAME_BYTES);
  const who = areMany ? { members: membersOf(agents, population) } : { agents };
  return omitUndefined({ text, year, kind, importance: importance && Math.min(1, importance), ...who });
}

/** The memories that the agent at a place of its population has of happenings. */
export function recallHappenings(
  happened: readonly HappenedEvent[],
  { id, type }: { id: string; type: string },
  place: number,
): AgentMemory[] {
  return happened
    .filter(({ agents, members }) => agents?.includes(id) ?? (members === undefined || isMember(members, place)))
    .map(({ text, year, kind, importance }) => ({
      text: `Year ${year}: ${text}`,
      year,
      importance: importance ?? importanceProfile(type)[kind],
    }));
}

function cutToBytes(text: string, bytes: number): string {
  let short = text;
  while (short.length > 1 && jsonBytes(short) > bytes) {
    short = cutText(text, Math.min(short.length - 1, Math.floor((short.length * bytes) / jsonBytes(short))));
  }
  return short;
}

/** Adds an insight to those of an agent. With many agents each keeps fewer, so that all of them fit. */
export function addInsight(own: readonly AgentMemory[], insight: AgentMemory, agents: number): AgentMemory[] {
  const each = Math.max(50, Math.floor(INSIGHT_BYTES / agents));
  const most = Math.min(MOST_INSIGHTS, Math.max(1, Math.floor(each / LONGEST_INSIGHT)));
  const text = cutToBytes(cutText(insight.text, Math.min(LONGEST_INSIGHT, each)), each);
  const kept = [...own, { ...insight, text }].slice(-most);
  let bytes = kept.reduce((sum, memory) => sum + jsonBytes(memory.text), 0);
  while (kept.length > 1 && bytes > each) bytes -= jsonBytes(kept.shift()!.text);
  return kept;
}

/** Removes the oldest insights of a population, by a number of bytes as JSON at least. */
export function dropOldest(insights: Record<string, AgentMemory[]>, bytes: number): Record<string, AgentMemory[]> {
  const faded = new Set<AgentMemory>();
  let left = bytes;
  for (const memory of Object.values(insights)
    .flat()
    .sort((one, other) => one.year - other.year)) {
    if (left <= 0) break;
    faded.add(memory);
    left -= jsonBytes(memory);
  }
  const kept = Object.entries(insights).map(
    ([id, own]) => [id, own.filter((memory) => !faded.has(memory))] satisfies [string, AgentMemory[]],
  );
  return Object.fromEntries(kept.filter(([, own]) => own.length > 0));
}

/** Weighs importance and recency: a memory fades by a twentieth each year (after Park et al. 2023, without relevance). */
export function pickBestMemories(memories: readonly AgentMemory[], year: number, topK: number): string[] {
  const weight = (memory: AgentMemory): number => memory.importance + FADES ** Math.max(0, year - memory.year);
  return memories
    .map((memory, index) => ({ memory, index }))
    .sort((one, other) => weight(other.memory) - weight(one.memory) || other.index - one.index)
    .slice(0, topK)
    .map(({ memory }) => memory.text);
}
