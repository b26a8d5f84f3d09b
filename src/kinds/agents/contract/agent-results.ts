import { z } from 'zod';
import { ReflectionTrigger } from '../base/defaults';
import type { Infer } from '../../../lib/contract/infer';
import { count, optional, retrying, tokenUsage } from '../../../lib/contract/values';

// Results of populations; they may gain fields.

export const triggerKind = z.enum(ReflectionTrigger);

const usedMethod = z.enum(['llm', 'template']);
/** The method that an insight was made with: `hybrid` always ends with one of these two. */
export type UsedMethod = z.infer<typeof usedMethod>;

const METHOD = 'How the agent arrived at the insight.';
const KIND = 'The kind of the event.';
const number = z.int().min(1);

export const triggerAnswer = z.object({
  reflected: z
    .array(
      z.object({
        agentId: z.string().describe('Id of the agent.'),
        insightId: z.string().describe('Id of its insight.'),
        method: usedMethod.describe(METHOD),
      }),
    )
    .describe('The agents that reflected.'),
  skipped: z
    .array(
      z.object({
        agentId: z.string().describe('Id of the agent.'),
        why: z.string().describe('Why it did not reflect.'),
      }),
    )
    .describe('The agents that did not reflect.'),
  repeated: optional(
    z.literal(true),
    'True if an event with this id was processed before: nothing happened now, and `reflected` is what is still known of it.',
  ),
});

/** The result of an event: the answer to the update `trigger`. */
export interface TriggerAnswer extends Infer<typeof triggerAnswer> {}

export const agentReflection = z.object({
  number: number.describe('Number of the reflection in the whole chain, from 1.'),
  agentId: z.string().describe('Id of the agent.'),
  agentType: z.string().describe('Its type.'),
  year: z.int().describe('The year of the event.'),
  kind: triggerKind.describe(KIND),
  method: usedMethod.describe(METHOD),
  insight: z.string().describe('The insight with its label, such as `[Reflection Y3] …`.'),
  insightId: z.string().describe('Id of the insight.'),
  importance: z.number().describe('Importance of the insight, 0 to 1.'),
  eventId: optional(z.string(), 'Id of the event; absent if it had none.'),
  fellBack: optional(z.string(), 'Why `hybrid` did not use the model.'),
});

/** One reflection of one agent. */
export interface AgentReflection extends Infer<typeof agentReflection> {}

export const takenEvent = z.object({
  number: number.describe('Number of the event in the whole chain, from 1.'),
  id: optional(z.string(), 'Id of the event; absent if it had none.'),
  kind: triggerKind.describe(KIND),
  year: z.int().describe('The year of the event.'),
  agentId: optional(z.string(), 'Id of the one agent that the event concerned.'),
  description: optional(z.string(), 'What happened.'),
  decision: optional(z.string(), 'The kind of decision.'),
  reflected: count.describe('Number of agents that reflected.'),
  skipped: count.describe('Number of agents that did not reflect.'),
});

/** One event that was taken. */
export interface TakenEvent extends Infer<typeof takenEvent> {}

export const populationCounts = z.object({
  events: count.describe('Number of events that were accepted.'),
  reflections: count.describe('Number of reflections.'),
  skipped: count.describe('How often an agent did not reflect on an event that concerned it.'),
  byKind: z.partialRecord(triggerKind, count).describe('Number of reflections by the kind of event.'),
  byType: z.record(z.string(), count).describe('Number of reflections by the type of agent.'),
  byMethod: z.partialRecord(usedMethod, count).describe('Number of reflections by method.'),
});

/** The counts of the whole chain of runs. */
export interface PopulationCounts extends Infer<typeof populationCounts> {}

export const agentReport = z.object({
  agents: count.describe('Number of agents in the population.'),
  counts: populationCounts.describe('Counts of the whole chain.'),
  events: z.array(takenEvent).describe('The latest events.'),
  reflections: z.array(agentReflection).describe('The latest reflections.'),
  omitted: z
    .object({ events: count.describe('Events left out.'), reflections: count.describe('Reflections left out.') })
    .describe("Counts of earlier ones that were left out; the histories of the chain's runs still have them."),
  tokenUsage: tokenUsage.describe('Tokens and cost of the whole run.'),
});

/** The result of `agentReflection` after it was finished: the latest events and reflections, and how many there were. */
export interface AgentReflectionReport extends Infer<typeof agentReport> {}

export const reflectionsPage = z.object({
  reflections: z.array(agentReflection).describe('Reflections of the current run, in order.'),
  next: optional(number, 'The `from` of the next page; absent on the last one.'),
});

/** One page of reflections, of the current run. `next` is the `from` of the next page. */
export interface ReflectionsPage extends Infer<typeof reflectionsPage> {}

export const populationProgress = z.object({
  phase: z.enum(['preparing', 'waiting', 'reflecting', 'done']).describe('What the run is doing.'),
  agents: count.describe('Number of agents in the population.'),
  year: z.int().nullable().describe('Year of the latest event; null before the first event.'),
  waitingEvents: count.describe('Number of events that were accepted and not processed yet.'),
  counts: populationCounts.describe('Counts of the whole chain.'),
  retrying,
  tokenUsage: tokenUsage.describe('Tokens and cost of the run so far.'),
});

/** The progress of a population: the answer to the query `progress`. */
export interface PopulationProgress extends Infer<typeof populationProgress> {}
