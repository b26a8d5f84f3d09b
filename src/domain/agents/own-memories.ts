import { importanceProfile } from './importance';
import type { AgentEvent } from './population';

/** Something that an agent remembers. */
export interface AgentMemory {
  text: string;
  year: number;
  /** 0..1. */
  importance: number;
}

/** Something that happened, which those whom it concerned remember. */
export interface HappenedEvent {
  text: string;
  year: number;
  kind: AgentEvent['kind'];
  importance?: number;
  /** Absent: it concerned everybody. */
  agents?: string[];
}

/** Happenings that a population remembers; older ones fade. */
const HAPPENINGS = 50;
const HAPPENING_CHARACTERS = 200;
/** Characters of all insights that are kept in the run itself: it must fit into what one run hands to the next. */
const INSIGHT_CHARACTERS = 400_000;
const LONGEST_INSIGHT = 300;
const MOST_INSIGHTS = 20;

/** By how much a memory fades in a year. */
const FADES = 0.95;

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** What happened, if the event says so in words. */
export function happeningOf({ kind, year, agentId, context = {} }: AgentEvent): HappenedEvent | undefined {
  const { description, importance, agents = agentId === undefined ? undefined : [agentId] } = context;
  if (description === undefined || description.trim() === '') return undefined;
  return {
    text: cut(description.trim(), HAPPENING_CHARACTERS),
    year,
    kind,
    ...(importance === undefined ? {} : { importance: Math.min(1, importance) }),
    // Many names are more than it is worth to remember who was there.
    ...(agents === undefined || agents.length > 100 ? {} : { agents }),
  };
}

/** The happenings with one more; the oldest fade. */
export function withHappening(happened: readonly HappenedEvent[], more: HappenedEvent | undefined): HappenedEvent[] {
  return more ? [...happened, more].slice(-HAPPENINGS) : [...happened];
}

/** What an agent remembers of what happened. */
export function rememberedHappenings(
  happened: readonly HappenedEvent[],
  { id, type }: { id: string; type: string },
): AgentMemory[] {
  return happened
    .filter(({ agents }) => agents === undefined || agents.includes(id))
    .map(({ text, year, kind, importance }) => ({
      text: `Year ${year}: ${text}`,
      year,
      importance: importance ?? importanceProfile(type)[kind],
    }));
}

/** An agent's insights with one more. With many agents each keeps fewer, so that all of them fit. */
export function withInsight(own: readonly AgentMemory[], insight: AgentMemory, agents: number): AgentMemory[] {
  const each = Math.max(50, Math.floor(INSIGHT_CHARACTERS / agents));
  const most = Math.min(MOST_INSIGHTS, Math.max(1, Math.floor(each / LONGEST_INSIGHT)));
  return [...own, { ...insight, text: cut(insight.text, Math.min(LONGEST_INSIGHT, each)) }].slice(-most);
}

/**
 * The memories that come to mind first: by importance and recency, each year fading what is remembered by a twentieth (after
 * Park et al. 2023, without relevance, which needs a store of memories).
 */
export function bestMemories(memories: readonly AgentMemory[], year: number, topK: number): string[] {
  const weight = (memory: AgentMemory): number => memory.importance + FADES ** Math.max(0, year - memory.year);
  return memories
    .map((memory, index) => ({ memory, index }))
    .sort((one, other) => weight(other.memory) - weight(one.memory) || other.index - one.index)
    .slice(0, topK)
    .map(({ memory }) => memory.text);
}
