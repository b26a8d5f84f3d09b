import { handleEvent, type Population, recordInsight } from '../../src/kinds/agents/state/handle-event';
import type { AgentEvent } from '../../src/kinds/agents/state/population';
import type { AgentReflectionSpec } from '../../src/kinds/agents/contract/agents';
import { concludeEvent, type PopulationState, recordEvent } from '../../src/kinds/agents/state/population-state';
import { parseAgentReflection, populationSettings } from '../../src/kinds/agents/parse/agents';

export const agents = [
  { id: 'owner', type: 'household_owner' },
  { id: 'renter', type: 'household_renter' },
  { id: 'town', type: 'government' },
  { id: 'insurer', type: 'insurance' },
];

export function population(reflection: object = {}, more: object = {}): Population {
  const parsed = parseAgentReflection({ agents, config: { reflection }, ...more });
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return { agents, settings: { ...populationSettings(parsed.spec), memory: false } };
}

/** Everybody who should reflect does so at once, by the same words. */
export function live(state: PopulationState, people: Population, event: AgentEvent, text = 'I learned.') {
  const number = recordEvent(state, event as never);
  const { occasions, skipped } = handleEvent(state, people, event);
  const reflected = occasions.map((occasion) =>
    recordInsight(state, people, { number, event }, occasion, { text, method: 'template' }),
  );
  concludeEvent(state, { reflected, skipped });
  return { reflected: reflected.map(({ agentId }) => agentId), skipped, occasions };
}

/** The largest population that is taken: nearly all that may stand in a spec, in names, types and rules. */
export function mostPopulation(more = 0): AgentReflectionSpec {
  const people = Array.from({ length: 2_000 }, (_, index) => ({
    id: `household number ${index}`,
    type: `type ${index % 1_000} ${'t'.repeat(60)}`,
    attributes: { about: 'a'.repeat(270) },
  }));
  const decisionTypes = Array.from({ length: 1_000 }, (_, index) => `${'d'.repeat(160 + more)}${index}`);
  const triggers = { decisionTypes, importanceThreshold: 0.1 };
  return { agents: people, config: { reflection: { method: 'template', triggers } } };
}
