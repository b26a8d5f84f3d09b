import { z } from 'zod';
import { CONTEXT_CHARACTERS, ID_CHARACTERS, LAST_YEAR } from '../../domain/agents/agent-event';
import type { AgentReflection, AgentReflectionReport, TriggerAnswer } from '../../domain/agents/population';
import type { PopulationProgress, ReflectionsPage } from '../../domain/agents/population-state';
import { ReflectionTrigger } from '../../domain/agents/trigger-config';
import type { Assert, SameType } from '../../domain/base/same-type';
import { addJsonSchemaHints } from '../../contract/json-schema-hints';
import { count, tokenUsage } from '../../contract/usage';

const id = z.string().min(1).max(ID_CHARACTERS);
const kind = z.enum(ReflectionTrigger);
const usedMethod = z.enum(['llm', 'template']);

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
  kind,
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

/** What became of an event: the answer to the update `trigger`. */
export const triggerAnswerSchema = z.object({
  reflected: z.array(z.object({ agentId: z.string(), insightId: z.string(), method: usedMethod })),
  skipped: z.array(z.object({ agentId: z.string(), why: z.string() })),
  repeated: z.literal(true).optional(),
});

const agentReflectionSchema = z.object({
  number: z.int().min(1),
  agentId: z.string(),
  agentType: z.string(),
  year: z.int(),
  kind,
  method: usedMethod,
  insight: z.string(),
  insightId: z.string(),
  importance: z.number(),
  eventId: z.string().optional(),
  fellBack: z.string().optional(),
});

const counts = z.object({
  events: count,
  reflections: count,
  skipped: count,
  byKind: z.partialRecord(kind, count),
  byType: z.record(z.string(), count),
  byMethod: z.partialRecord(usedMethod, count),
});

export const agentReportSchema = z.object({
  agents: count,
  counts,
  events: z.array(
    z.object({
      number: z.int().min(1),
      id: z.string().optional(),
      kind,
      year: z.int(),
      agentId: z.string().optional(),
      description: z.string().optional(),
      decision: z.string().optional(),
      reflected: count,
      skipped: count,
    }),
  ),
  reflections: z.array(agentReflectionSchema),
  omitted: z.object({ events: count, reflections: count }),
  tokenUsage,
});

/** One page of reflections: the answer to the query `reflections`. */
export const reflectionsPageSchema = z.object({
  reflections: z.array(agentReflectionSchema),
  next: z.int().min(1).optional(),
});

export const populationProgressSchema = z.object({
  phase: z.enum(['preparing', 'waiting', 'reflecting', 'done']),
  agents: count,
  year: z.int().nullable(),
  waitingEvents: count,
  counts,
  tokenUsage,
});

/** Does not compile when a schema and its interface differ, in either direction. */
export type AgentMessagesFit = [
  Assert<SameType<z.output<typeof triggerAnswerSchema>, TriggerAnswer>>,
  Assert<SameType<z.output<typeof agentReflectionSchema>, AgentReflection>>,
  Assert<SameType<z.output<typeof agentReportSchema>, AgentReflectionReport>>,
  Assert<SameType<z.output<typeof reflectionsPageSchema>, ReflectionsPage>>,
  Assert<SameType<z.output<typeof populationProgressSchema>, PopulationProgress>>,
];
