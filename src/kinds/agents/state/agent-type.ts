import type { ReflectionTriggerConfig } from './trigger-config';
import type { ReflectionTrigger } from '../base/defaults';
const BASE_AGENT_TYPES = ['household', 'government', 'insurance'] as const;
type BaseAgentType = (typeof BASE_AGENT_TYPES)[number];

/** The base type of a subtype: `household_owner` is a household. Undefined for types of other simulations. */
export function baseAgentType(agentType: string): BaseAgentType | undefined {
  return BASE_AGENT_TYPES.find((base) => agentType === base || agentType.startsWith(`${base}_`));
}

type Profile = Readonly<Record<ReflectionTrigger, number>>;

/** The importance of an insight by the kind of its event, 0..1, for each type of agent. */
const PROFILES: Record<BaseAgentType | 'other', Profile> = {
  household: { crisis: 0.95, periodic: 0.6, decision: 0.85, institutional: 0.5 },
  government: { crisis: 0.9, periodic: 0.6, decision: 0.8, institutional: 0.95 },
  insurance: { crisis: 0.9, periodic: 0.65, decision: 0.8, institutional: 0.9 },
  other: { crisis: 0.9, periodic: 0.6, decision: 0.8, institutional: 0.8 },
};

export function importanceProfile(agentType: string): Profile {
  return PROFILES[baseAgentType(agentType) ?? 'other'];
}

/** How much an insight matters: the value of the profile, and `importanceBoost` at least. */
export function insightImportance(
  agentType: string,
  trigger: ReflectionTrigger,
  { importanceBoost }: Pick<ReflectionTriggerConfig, 'importanceBoost'>,
): number {
  return Math.max(importanceProfile(agentType)[trigger], importanceBoost);
}

const LARGEST = 1e9;

/** Significant digits of a sum: decimal fractions do not add exactly, and ten times 0.1 has to reach 1. */
const DIGITS = 9;

/** Adds an event's importance since the last reflection. The event's own value wins over the profile's. */
export function addImportance(sum: number, agentType: string, trigger: ReflectionTrigger, told?: number): number {
  const more = told !== undefined && Number.isFinite(told) && told >= 0 ? told : importanceProfile(agentType)[trigger];
  return Number(Math.min(LARGEST, sum + more).toFixed(DIGITS));
}

const QUESTIONS: Record<BaseAgentType | 'other', readonly string[]> = {
  household: [
    'How safe is my home now, and what would make it safer?',
    'Which of my choices paid off, and which do I regret?',
    'What do I see my neighbours do, and should I do the same?',
  ],
  government: [
    'Who was helped by our programmes, and who was left out?',
    'Is the money going where it prevents most damage?',
    'Which rule or subsidy should change, and what would follow from that?',
  ],
  insurance: [
    'Do premiums still match the risk that we carry?',
    'Who leaves us or cannot afford us, and why?',
    'What do the claims tell about the years ahead?',
  ],
  other: [
    'What happened that I did not expect?',
    'What worked, what did not, and why?',
    'What should I do differently from now on?',
  ],
};

export function questionsFor(agentType: string): readonly string[] {
  return QUESTIONS[baseAgentType(agentType) ?? 'other'];
}
