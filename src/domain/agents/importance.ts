import { baseAgentType, type BaseAgentType } from './agent-type';
import type { ReflectionTrigger, ReflectionTriggerConfig } from './trigger-config';

type Profile = Readonly<Record<ReflectionTrigger, number>>;

/** 0..1: how much an insight matters by what gave rise to it. A flood is a household's own, a policy an institution's. */
const PROFILES: Record<BaseAgentType | 'other', Profile> = {
  household: { crisis: 0.95, periodic: 0.6, decision: 0.85, institutional: 0.5 },
  government: { crisis: 0.9, periodic: 0.6, decision: 0.8, institutional: 0.95 },
  insurance: { crisis: 0.9, periodic: 0.65, decision: 0.8, institutional: 0.9 },
  other: { crisis: 0.9, periodic: 0.6, decision: 0.8, institutional: 0.8 },
};

/** How much an event of a kind matters to agents of a type. */
export function importanceProfile(agentType: string): Profile {
  return PROFILES[baseAgentType(agentType) ?? 'other'];
}

/** How much an insight matters: what the profile says, and `importanceBoost` at least. */
export function insightImportance(
  agentType: string,
  trigger: ReflectionTrigger,
  { importanceBoost }: Pick<ReflectionTriggerConfig, 'importanceBoost'>,
): number {
  return Math.max(importanceProfile(agentType)[trigger], importanceBoost);
}

const LARGEST = 1e9;

/** Digits of a sum that mean something: decimal fractions do not add exactly, and ten times 0.1 is to reach 1. */
const DIGITS = 9;

/**
 * What an agent went through since it last reflected, with one more event. An event's own importance, where it is told, wins
 * over the profile's.
 */
export function addedImportance(sum: number, agentType: string, trigger: ReflectionTrigger, told?: number): number {
  const more = told !== undefined && Number.isFinite(told) && told >= 0 ? told : importanceProfile(agentType)[trigger];
  return Number(Math.min(LARGEST, sum + more).toFixed(DIGITS));
}
