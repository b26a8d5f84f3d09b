import { requireValid, RunKind } from '../../../calls/run-kind';
import type { AgentReflectionReport, PopulationProgress } from '../contract/agent-results';
import type { AgentReflectionSpec } from '../contract/agents';
import { renderPopulationLine } from '../page/population-page';
import { parseAgentReflection } from '../parse/agents';

/** Runs of `agentReflection`. */
export const populationRun = new RunKind<AgentReflectionSpec, AgentReflectionReport, PopulationProgress>({
  type: 'agentReflection',
  prefix: 'agents',
  listedAs: 'other',
  methods: { start: 'agents.start', result: 'agents.result', progress: 'agents.progress' },
  parse: (given) => requireValid(parseAgentReflection(given)).spec,
  summary: renderPopulationLine,
});
