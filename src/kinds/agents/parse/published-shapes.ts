import { z } from 'zod';
import type { MessageFields } from '../../../lib/base/message-fields';
import type { JsonSchema } from '../../../lib/contract/convert';
import type { PublishedShapes } from '../../../lib/contract/published';
import { optional } from '../../../lib/contract/values';
import { fieldJson, objectJson } from '../../../loop/parse/message-json-schemas';
import { agentReport, populationProgress, reflectionsPage, triggerAnswer } from '../contract/agent-results';
import { agentReflectionSpec, reflectionConfig } from '../contract/agents';
import { EVENT, EVENT_ALIASES, EVENT_CONTEXT } from '../state/agent-event';

function buildEventJson(): JsonSchema {
  const { properties, ...rest } = objectJson(EVENT);
  const known: MessageFields = EVENT_CONTEXT;
  const aliases = Object.fromEntries(Object.entries(EVENT_ALIASES).map(([alias, key]) => [alias, known[key]!]));
  const context = { ...objectJson({ ...known, ...aliases }), additionalProperties: {} };
  return {
    ...rest,
    properties: { ...properties, context: fieldJson(EVENT.context, context) },
    // A decision always has an agent.
    anyOf: [
      { properties: { kind: { not: { const: 'decision' } } } },
      { properties: { agentId: { type: 'string' } }, required: ['agentId'] },
    ],
  };
}

export const listAgentShapes = (): PublishedShapes => ({
  'agent-spec': ['AgentReflectionSpec', 'The argument of agentReflection.', agentReflectionSpec],
  'reflection-config': ['ReflectionConfig', 'When and how agents reflect.', reflectionConfig],
  'agent-event': [
    'AgentEvent',
    'The payload of the signal and the update `trigger` of agentReflection.',
    undefined,
    buildEventJson,
  ],
  'trigger-answer': ['TriggerAnswer', 'The answer to the update `trigger`.', triggerAnswer],
  'agent-report': ['AgentReflectionReport', 'The result of agentReflection.', agentReport],
  'agent-progress': [
    'PopulationProgress',
    'The answer to the query `progress` of agentReflection.',
    populationProgress,
  ],
  'reflections-question': [
    'ReflectionsQuestion',
    'The argument of the query `reflections`, which may be left out: the first number and the agent wanted.',
    z.strictObject({
      from: optional(z.int(), 'The first number wanted.', 1),
      agentId: optional(z.string(), 'Id of the agent. Default: all.'),
    }),
  ],
  'reflections-page': [
    'ReflectionsPage',
    'The answer to the query `reflections`; `next` is the `from` of the next page.',
    reflectionsPage,
  ],
});
