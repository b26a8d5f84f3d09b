import { agentActivities } from './agents/agent-activities';
import { batchActivities } from './batch/prepare-batch';
import type { ActivityDependencies } from './dependencies';
import { pipelineActivities } from './pipeline/prepare-pipeline';
import { planActivities } from './plan/prepare-plan';
import { standaloneActivities } from './standalone/prepare-standalone';

export function kindActivities(dependencies: ActivityDependencies) {
  return {
    ...standaloneActivities(dependencies),
    ...pipelineActivities(dependencies),
    ...planActivities(dependencies),
    ...agentActivities(dependencies),
    ...batchActivities(dependencies),
  };
}
