import { z } from 'zod';
import {
  REFLECTION_METHODS,
  DEFAULT_TOP_K,
  REFLECTION_DEFAULTS,
  TRIGGER_DEFAULTS,
  MOST_AGENTS,
  MOST_DECISION_TYPES,
} from '../base/defaults';
import { TIMEOUT_DEFAULTS } from '../../../loop/base/defaults';
import { MOST_TOKENS, NAME_CHARACTERS, SENTENCE_CHARACTERS } from '../../../lib/base/maxima';
import { HIGHEST_WEIGHT, MOST_COUNTED, MOST_MODEL_CALLS, MOST_USD } from '../../../loop/base/maxima';
import type { Infer, InferInput } from '../../../lib/contract/infer';
import { duration, json, nameText, optional, protocolText, share } from '../../../lib/contract/values';

export const triggers = z.strictObject({
  crisis: z
    .boolean()
    .default(TRIGGER_DEFAULTS.crisis)
    .describe('Whether the agents that a crisis concerns reflect on it.'),
  periodicInterval: z
    .int()
    .max(MOST_COUNTED)
    .default(TRIGGER_DEFAULTS.periodicInterval)
    .describe('Number of years after which every agent reflects; 0 or less: never.'),
  decisionTypes: z
    .array(z.string().max(NAME_CHARACTERS))
    .max(MOST_DECISION_TYPES)
    .default(TRIGGER_DEFAULTS.decisionTypes)
    .describe('Kinds of decisions after which the agent that decided reflects.'),
  institutionalThreshold: z
    .number()
    .min(0)
    .max(HIGHEST_WEIGHT)
    .default(TRIGGER_DEFAULTS.institutionalThreshold)
    .describe('Institutions reflect after a policy change that is larger than this share.'),
  importanceThreshold: optional(
    z.number().positive().max(HIGHEST_WEIGHT),
    'Crises only count for agents to whom so much happened, by importance, since they last reflected. Default: they always count.',
  ),
  afterFailure: optional(
    z.boolean(),
    'Whether an agent also reflects after a decision of any kind that failed. Default: no.',
  ),
});

/** The conditions under which the agents of a population reflect, with every default. */
export interface ReflectionTriggers extends Infer<typeof triggers> {}

export const reflectionConfig = z.strictObject({
  interval: z
    .int()
    .max(MOST_COUNTED)
    .default(1)
    .describe('Years between two reflections of an agent, apart from triggers.'),
  batchSize: z
    .int()
    .min(1)
    .max(MOST_AGENTS)
    .default(REFLECTION_DEFAULTS.batchSize)
    .describe('Number of agents that reflect in parallel.'),
  importanceBoost: share
    .default(REFLECTION_DEFAULTS.importanceBoost)
    .describe('Minimum importance of an insight, 0 to 1.'),
  method: z
    .enum(REFLECTION_METHODS)
    .default(REFLECTION_DEFAULTS.method)
    .describe('`llm`: a model writes insights. `template`: rules do. `hybrid`: a model, and rules where it fails.'),
  critics: optional(
    z.array(z.string().min(1).max(SENTENCE_CHARACTERS)).max(9),
    'Points of view of critics that speak before an insight is written. Default: none.',
  ),
  triggers: triggers.prefault({}).describe('When agents reflect.'),
});

/** The settings of how agents reflect, with every default. */
export interface ReflectionConfig extends Infer<typeof reflectionConfig> {}

/** An id or a type; the limit of its length keeps small what a run passes to the next one. */
const name = protocolText(
  z
    .string()
    .max(100)
    .regex(/^[\p{L}\p{N}]/u, 'must begin with a letter or a digit'),
);

export const agent = z.strictObject({
  id: name.describe('Unique id of the agent.'),
  type: name.describe('Such as `household_owner`. Determines the questions that the agent asks itself.'),
  attributes: optional(json, 'Facts about the agent; they are part of the prompt.'),
});

export interface AgentSpec extends Infer<typeof agent> {}

const budget = z.strictObject({
  tokens: optional(z.int().min(1).max(MOST_TOKENS), 'Prompt and completion tokens of all calls. Default: no limit.'),
  usd: optional(
    z.number().positive().max(MOST_USD),
    "US dollars, by the prices of the worker's models. Default: no limit.",
  ),
  modelCalls: optional(z.int().min(0).max(MOST_MODEL_CALLS), 'Model calls that were answered. Default: no limit.'),
});

const timeouts = z.strictObject({
  modelCall: optional(duration, 'Time of one attempt of a model call.', TIMEOUT_DEFAULTS.modelCall),
  retryFor: optional(
    duration,
    'How long a failing call is retried. Default: `1h` with `llm`, and `1m` with `hybrid`, which falls back to the template.',
  ),
});

export const agentReflectionSpec = z.strictObject({
  name: optional(protocolText(z.string().max(200)), 'Shown in the Web UI.'),
  agents: z.array(agent).min(1).max(MOST_AGENTS).describe('The agents, with unique ids.'),
  config: optional(
    z.strictObject({ reflection: reflectionConfig.describe('When and how agents reflect.') }),
    'Configuration; fields that are left out have their defaults.',
  ),
  seed: optional(
    z.int(),
    'Selects the question that an agent asks itself in a year if no model is used. Default: always the first question.',
  ),
  memory: optional(
    z.strictObject({
      topK: optional(z.int().min(0).max(50), 'How many memories are recalled for an agent.', DEFAULT_TOP_K),
    }),
    'What agents remember.',
  ),
  model: optional(nameText, "Model that reflects for agents. Default: the worker's."),
  budget: optional(
    budget,
    'Limits of tokens, cost and calls. Once one is reached, `hybrid` uses the template, and with `llm` no agent reflects any more.',
  ),
  timeouts: optional(timeouts, 'How long one attempt of a call may take, and how long it is retried.'),
});

/** The argument of `agentReflection`: agents that live for years, and when they reflect. */
export interface AgentReflectionSpec extends InferInput<typeof agentReflectionSpec> {}
