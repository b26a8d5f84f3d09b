import type { FileKind } from '../../spec-files/file-kind';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { AgentReflectionSpec } from '../agents/contract/agents';
import { agentsFile } from '../agents/file/agents-file';
import type { PipelineSpec } from '../pipeline/contract/pipeline';
import { pipelineFile } from '../pipeline/file/pipeline-file';
import type { PlanSpec } from '../plan/contract/plan';
import { planFile } from '../plan/file/plan-file';

/** The specs that files hold, by kind. */
export interface SpecKinds {
  loop: ReflectionSpec;
  pipeline: PipelineSpec;
  plan: PlanSpec;
  agents: AgentReflectionSpec;
}

/** How files hold kinds of runs beside loops: a file is of the first kind whose keys it has. */
export const FILE_KINDS: { [Kind in Exclude<keyof SpecKinds, 'loop'>]: FileKind<SpecKinds[Kind]> } = {
  pipeline: pipelineFile,
  plan: planFile,
  agents: agentsFile,
};
