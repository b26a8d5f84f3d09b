import { z } from 'zod';
import { ReflectionTrigger } from '../domain/base/choices';
import type { Infer } from './infer';
import { count, tokenUsage } from './usage';
import { optional } from './values';

// What populations hand out; they may gain fields.

export const triggerKind = z.enum(ReflectionTrigger);

const usedMethod = z.enum(['llm', 'template']);
/** How an agent came to an insight: what `hybrid` came to is one of these two. */
export type UsedMethod = z.infer<typeof usedMethod>;

const METHOD = 'How the agent came to the insight.';
const KIND = 'What made agents reflect.';
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
    .describe('Who reflected.'),
  skipped: z
    .array(z.object({ agentId: z.string().describe('Id of the agent.'), why: z.string().describe('Why not.') }))
    .describe('Who did not.'),
  repeated: optional(
    z.literal(true),
    'True when an event of this id was taken before: nothing happened now, and `reflected` is what is still known of then.',
  ),
});

/** What became of an event: the answer to the update `trigger`. */
export interface TriggerAnswer extends Infer<typeof triggerAnswer> {}

export const agentReflection = z.object({
  number: number.describe('Counts the reflections of the whole chain, from 1.'),
  agentId: z.string().describe('Id of the agent.'),
  agentType: z.string().describe('Its type.'),
  year: z.int().describe('The year of the event.'),
  kind: triggerKind.describe(KIND),
  method: usedMethod.describe(METHOD),
  insight: z.string().describe('With its label, such as `[Reflection Y3] …`.'),
  insightId: z.string().describe('Id of the insight.'),
  importance: z.number().describe('Importance of the insight, 0 to 1.'),
  eventId: optional(z.string(), 'Id of the event, where it had one.'),
  fellBack: optional(z.string(), 'Why the model was not used, by `hybrid`.'),
});

/** One reflection of one agent. */
export interface AgentReflection extends Infer<typeof agentReflection> {}

export const takenEvent = z.object({
  number: number.describe('Counts the events of the whole chain, from 1.'),
  id: optional(z.string(), 'Its id, where it had one.'),
  kind: triggerKind.describe(KIND),
  year: z.int().describe('The year of the event.'),
  agentId: optional(z.string(), 'The one agent that it concerned.'),
  description: optional(z.string(), 'What happened.'),
  decision: optional(z.string(), 'The kind of decision.'),
  reflected: count.describe('Agents that reflected.'),
  skipped: count.describe('Agents that did not.'),
});

/** One event that was taken. */
export interface TakenEvent extends Infer<typeof takenEvent> {}

export const populationCounts = z.object({
  events: count.describe('Events that were taken.'),
  reflections: count.describe('Reflections of agents.'),
  skipped: count.describe('Agents that did not reflect upon an event that concerned them.'),
  byKind: z.partialRecord(triggerKind, count).describe('Reflections by what made agents reflect.'),
  byType: z.record(z.string(), count).describe('Reflections by the type of the agent.'),
  byMethod: z.partialRecord(usedMethod, count).describe('Reflections by how agents came to them.'),
});

/** How often something happened, in the whole chain. */
export interface PopulationCounts extends Infer<typeof populationCounts> {}

export const agentReport = z.object({
  agents: count.describe('Agents of the population.'),
  counts: populationCounts.describe('How often something happened, in the whole chain.'),
  events: z.array(takenEvent).describe('The latest events.'),
  reflections: z.array(agentReflection).describe('The latest reflections.'),
  omitted: z
    .object({ events: count.describe('Events left out.'), reflections: count.describe('Reflections left out.') })
    .describe("Earlier ones, which the histories of the chain's runs still have."),
  tokenUsage: tokenUsage.describe('What the whole run cost.'),
});

/** What `agentReflection` hands back when it is told to finish: the latest events and reflections, and how many there were. */
export interface AgentReflectionReport extends Infer<typeof agentReport> {}

export const reflectionsPage = z.object({
  reflections: z.array(agentReflection).describe('Reflections of the current run, in order.'),
  next: optional(number, 'The `from` of the next page; absent on the last one.'),
});

/** One page of reflections, of the current run. `next` is the `from` of the next page. */
export interface ReflectionsPage extends Infer<typeof reflectionsPage> {}

export const populationProgress = z.object({
  phase: z.enum(['preparing', 'waiting', 'reflecting', 'done']).describe('What the run is doing.'),
  agents: count.describe('Agents of the population.'),
  year: z.int().nullable().describe('Of the latest event; null before one.'),
  waitingEvents: count.describe('Events that were taken, and not dealt with yet.'),
  counts: populationCounts.describe('How often something happened, in the whole chain.'),
  tokenUsage: tokenUsage.describe('What the run cost so far.'),
});

/** Where a population stands: the answer to the query `progress`. */
export interface PopulationProgress extends Infer<typeof populationProgress> {}
