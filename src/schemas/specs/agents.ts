import { z } from 'zod';
import { triggerConfigOf } from '../../domain/agents/trigger-config';
import { type AgentReflectionSpec, MOST_AGENTS, type PopulationSettings } from '../../domain/agents/population';
import { leastCarriedBytes, MOST_CARRIED_BYTES } from '../../domain/agents/population-hand-over';
import { MOST_MODEL_CALLS, MOST_TOKENS, MOST_USD } from '../../domain/base/maxima';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { reflectionConfig } from './agent-config';
import { callMilliseconds } from './settings';
import { formProblems } from './spec';
import { duration, json, milliseconds, nameText } from '../../contract/values';

/** Of ids and types; the limit of their length keeps what a run hands to the next one small. */
const name = z
  .string()
  .max(100)
  .regex(/^[\p{L}\p{N}]/u, 'must begin with a letter or a digit');

const ID_BYTES = 150_000;
const AGENT_BYTES = 1_000_000;
/** Of one event: a history ends at 51,200 events, and a call makes up to six. */
const MOST_CALLS = 6_000;

export const agentSpecSchema = z.strictObject({
  name: z.string().max(200).optional(),
  agents: z
    .array(z.strictObject({ id: name, type: name, attributes: json.optional() }))
    .min(1)
    .max(MOST_AGENTS),
  config: z.strictObject({ reflection: reflectionConfig }).optional(),
  seed: z.int().optional(),
  memory: z.strictObject({ topK: z.int().min(0).max(50).optional() }).optional(),
  model: nameText.optional(),
  budget: z
    .strictObject({
      tokens: z.int().min(1).max(MOST_TOKENS).optional(),
      usd: z.number().positive().max(MOST_USD).optional(),
      modelCalls: z.int().min(0).max(MOST_MODEL_CALLS).optional(),
    })
    .optional(),
  timeouts: z.strictObject({ modelCall: duration.optional(), retryFor: duration.optional() }).optional(),
});

function agentProblems(spec: z.output<typeof agentSpecSchema>): SpecProblem[] {
  const { agents, config } = spec;
  const problems: SpecProblem[] = [];
  const seen = new Set<string>();
  for (const [index, { id }] of agents.entries()) {
    if (seen.has(id)) problems.push({ path: `/agents/${index}/id`, message: 'is the id of an earlier agent' });
    seen.add(id);
  }
  const { method = 'hybrid', critics = [] } = config?.reflection ?? {};
  const calls = method === 'template' ? 0 : agents.length * (1 + critics.length);
  if (calls > MOST_CALLS) {
    const message = `an event could ask for ${calls} model calls; at most ${MOST_CALLS} fit into a run's history`;
    problems.push({ path: '/config/reflection/critics', message });
  }
  const idBytes = agents.reduce((sum, { id }) => sum + Buffer.byteLength(id), 0);
  if (idBytes > ID_BYTES) {
    problems.push({ path: '/agents', message: `the ids have ${idBytes} bytes; at most ${ID_BYTES} together` });
  }
  const bytes = Buffer.byteLength(JSON.stringify(agents));
  if (bytes > AGENT_BYTES) {
    problems.push({ path: '/agents', message: `have ${bytes} bytes as JSON; at most ${AGENT_BYTES} can be handled` });
  }
  const carried = leastCarriedBytes(spec as AgentReflectionSpec);
  if (problems.length === 0 && carried > MOST_CARRIED_BYTES) {
    const message = `each run of the population would hand ${carried} bytes of its spec to the next; at most ${MOST_CARRIED_BYTES} fit`;
    problems.push({ path: '', message });
  }
  return problems;
}

/** Reads the argument of `agentReflection`: the spec with the defaults of its configuration, or every mistake of its form. */
export function parseAgentReflection(value: unknown): { spec: AgentReflectionSpec } | { problems: SpecProblem[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: [{ path: '', message: 'must be a JSON object' }] };
  }
  const result = agentSpecSchema.safeParse(value);
  if (!result.success) return { problems: result.error.issues.flatMap((issue) => formProblems(issue, value)) };
  const problems = agentProblems(result.data);
  return problems.length > 0 ? { problems } : { spec: result.data as AgentReflectionSpec };
}

/** A valid spec's settings, with defaults and in milliseconds. */
export function populationSettings({
  config,
  seed,
  memory,
  model,
  budget,
  timeouts = {},
}: AgentReflectionSpec): Omit<PopulationSettings, 'memory'> {
  const reflection = triggerConfigOf(reflectionConfig.parse(config?.reflection ?? {}));
  const { modelCall = '2m', retryFor = reflection.method === 'hybrid' ? '1m' : '1h' } = timeouts;
  return {
    config: reflection,
    topK: memory?.topK ?? 5,
    ...(seed === undefined ? {} : { seed }),
    ...(model === undefined ? {} : { model }),
    ...(budget ? { budget } : {}),
    timeouts: { modelCallMs: callMilliseconds(modelCall), stepMs: 60_000, retryForMs: milliseconds(retryFor) },
  };
}
