import type { z } from 'zod';
import { agentReflectionSpec, type AgentReflectionSpec, reflectionConfig } from '../contract/agents';
import { milliseconds } from '../../../lib/contract/values';
import { TIMEOUT_DEFAULTS } from '../../../loop/base/defaults';
import { DEFAULT_TOP_K } from '../base/defaults';
import { triggerConfigOf } from '../state/trigger-config';
import type { PopulationSettings } from '../state/population';
import { countCarriedBytes, MOST_CARRIED_BYTES } from '../state/population-hand-over';
import { isJsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { callMilliseconds } from '../../../loop/parse/settings';
import { readForm } from '../../../lib/contract/form-problems';
import { omitNulls } from '../../../loop/spec/omit-nulls';

const ID_BYTES = 150_000;
const AGENT_BYTES = 1_000_000;
/** The most model calls of one event: a history ends at 51,200 events, and a call makes up to six. */
const MOST_CALLS = 6_000;

function agentProblems(spec: z.output<typeof agentReflectionSpec>): SpecProblem[] {
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
  const carried = countCarriedBytes(spec);
  if (problems.length === 0 && carried > MOST_CARRIED_BYTES) {
    const message = `each run of the population would hand ${carried} bytes of its spec to the next; at most ${MOST_CARRIED_BYTES} fit`;
    problems.push({ path: '', message });
  }
  return problems;
}

/** The argument of `agentReflection`: the spec with the defaults of its configuration, or every problem of its form. */
export function parseAgentReflection(given: unknown): { spec: AgentReflectionSpec } | { problems: SpecProblem[] } {
  if (!isJsonObject(given)) return { problems: [{ path: '', message: 'must be a JSON object' }] };
  const value = omitNulls(given);
  const { data, problems: ofForm } = readForm(agentReflectionSpec, value);
  const problems = data ? agentProblems(data) : ofForm;
  return data && problems.length === 0 ? { spec: data } : { problems };
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
  const {
    modelCall = TIMEOUT_DEFAULTS.modelCall,
    retryFor = reflection.method === 'hybrid' ? '1m' : TIMEOUT_DEFAULTS.retryFor,
  } = timeouts;
  return {
    config: reflection,
    topK: memory?.topK ?? DEFAULT_TOP_K,
    ...(seed === undefined ? {} : { seed }),
    ...(model === undefined ? {} : { model }),
    ...(budget ? { budget } : {}),
    timeouts: { modelCallMs: callMilliseconds(modelCall), stepMs: 60_000, retryForMs: milliseconds(retryFor) },
  };
}
