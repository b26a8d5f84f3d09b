/** Types of agents that reflect in a way of their own. */
export const BASE_AGENT_TYPES = ['household', 'government', 'insurance'] as const;
export type BaseAgentType = (typeof BASE_AGENT_TYPES)[number];

/** The type behind a subtype: `household_owner` is a household. Undefined for types of other simulations. */
export function baseAgentType(agentType: string): BaseAgentType | undefined {
  return BASE_AGENT_TYPES.find((base) => agentType === base || agentType.startsWith(`${base}_`));
}
