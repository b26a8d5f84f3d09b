import { z } from 'zod';
import { triggerKind } from '../../contract/agent-results';
import { addJsonSchemaHints } from '../../contract/json-schema-hints';
import { CONTEXT_CHARACTERS, ID_CHARACTERS, LAST_YEAR } from '../../domain/agents/agent-event';

const id = z.string().min(1).max(ID_CHARACTERS);

/** Other keys of a context are for whoever reads histories. */
const context = z.looseObject({
  decision: z.string().max(200).nullish(),
  failed: z.boolean().nullish(),
  policyChangeMagnitude: z.number().nullish(),
  policy_change_magnitude: z.number().nullish(),
  importance: z.number().min(0).nullish(),
  description: z.string().max(1_000).nullish(),
  agents: z.array(z.string()).nullish(),
});

/**
 * The payload of `trigger`, as the JSON Schema shows it. A running population has no zod and checks with `eventProblems`, which
 * knows the agents, too, and counts the characters of a context.
 */
export const agentEventSchema = z.strictObject({
  id: id.nullish(),
  kind: triggerKind,
  year: z.int().min(0).max(LAST_YEAR),
  agentId: id.nullish(),
  context: context.nullish().describe(`At most ${CONTEXT_CHARACTERS} characters as JSON.`),
});
// A decision is somebody's.
addJsonSchemaHints(agentEventSchema, {
  also: {
    anyOf: [
      { properties: { kind: { not: { const: 'decision' } } } },
      { properties: { agentId: { type: 'string' } }, required: ['agentId'] },
    ],
  },
});
