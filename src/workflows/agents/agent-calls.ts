import { workflowInfo } from '@temporalio/workflow';
import type {
  AgentActivities,
  AgentPreparation,
  ReflectAgentInput,
  ReflectAgentOutcome,
} from '../../activities/protocol-agents';
import type { PopulationSettings } from '../../domain/agents/population';
import { heartbeatTimeoutOf } from '../../domain/spec/recovery';
import { summaryText } from '../../domain/text/summary-text';
import { modelQueue } from '../../domain/base/task-queues';
import { localActivities, remoteActivities } from '../shared/activity-proxies';
import { retriesFor } from '../shared/retries';

/** The model's own timeout must fire first, so that the failure says what happened. */
const GRACE_MS = 10_000;

const LOCAL_TIMEOUT_MS = 30_000;

/** What is done where the workflow runs; where that worker lacks the memory, at one that has it. */
export function localAgentActivities(summary: string): AgentActivities {
  const options = { startToCloseTimeout: LOCAL_TIMEOUT_MS, summary: summaryText(summary) };
  return localActivities(options, undefined, options);
}

/** Checks a whole spec before anything is paid for. */
export async function callPrepareAgents(spec: unknown): Promise<AgentPreparation> {
  return localActivities({ startToCloseTimeout: LOCAL_TIMEOUT_MS, summary: 'prepare' }).prepareAgents({ spec });
}

/** One model call. */
export async function callReflectAgent(
  { timeouts }: PopulationSettings,
  input: ReflectAgentInput,
  summary: string,
): Promise<ReflectAgentOutcome> {
  const { modelCallMs, retryForMs } = timeouts;
  const { reflectAgent } = remoteActivities({
    startToCloseTimeout: modelCallMs + GRACE_MS,
    heartbeatTimeout: heartbeatTimeoutOf(timeouts, true),
    retry: retriesFor(retryForMs),
    taskQueue: modelQueue(workflowInfo().taskQueue),
    summary: summaryText(summary),
  });
  return reflectAgent(input);
}
