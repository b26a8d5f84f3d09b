import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, WorkflowUpdateFailedError, WorkflowUpdateStage } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { AgentEvent } from '../state/population';
import type { AgentReflection, AgentReflectionReport, TriggerAnswer, ReflectionsPage } from '../contract/agent-results';
import type { ClientCall } from '../../../loop/errors/call-errors';
import { type CallOptions, NO_LIMIT_MS } from '../../../calls/call-options';
import { pagesOf } from '../../../calls/chain';
import { type Asked, resultOf } from '../../../calls/questions';
import { firstRunOf, latestRunOf, partsOf, type RunTarget } from '../../../calls/run-target';
import { withTypedErrors } from '../../../calls/errors/with-typed-errors';

/**
 * The patience with a run that another run takes over: it takes an event a moment later, or once the events that it has taken
 * are processed, which takes as long as their model calls: some ten minutes altogether.
 */
const HAND_OVER = { attempts: 300, waitMs: 200, mostMs: 2_000 };

function isHandingOver(error: unknown): boolean {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'HandingOver';
}

/**
 * Sends an event to a population, and again if its run was just being taken over, and had not taken the event. A worker must
 * take it in time; how long its agents then reflect is bounded only where the caller says so.
 */
export async function triggerAgents(
  temporal: Client,
  run: RunTarget,
  event: AgentEvent,
  options: CallOptions,
): Promise<TriggerAnswer> {
  const { workflowId } = partsOf(run);
  const commandId = event.id ?? randomUUID();
  const call: ClientCall = { method: 'agents.trigger', kind: 'command', workflowId, commandId };
  const sending = { args: [{ ...event, id: commandId }] as [AgentEvent], waitForStage: WorkflowUpdateStage.ACCEPTED };
  for (let left = HAND_OVER.attempts; ; left -= 1) {
    const taken = await withTypedErrors(temporal, call, options, async () => {
      const firstExecutionRunId = await firstRunOf(temporal, run);
      const handle = temporal.workflow.getHandle(workflowId, undefined, { firstExecutionRunId });
      return handle.startUpdate<TriggerAnswer, [AgentEvent]>('trigger', sending);
    });
    const answer = async (signal: AbortSignal): Promise<TriggerAnswer | undefined> => {
      try {
        return await taken.result();
      } catch (error) {
        if (left === 0 || !isHandingOver(error)) throw error;
        const longer = HAND_OVER.waitMs * (1 + HAND_OVER.attempts - left);
        return wait(Math.min(HAND_OVER.mostMs, longer), undefined, { signal });
      }
    };
    const answered = await withTypedErrors(temporal, call, options, answer, NO_LIMIT_MS);
    if (answered) return answered;
  }
}

/** Ends a population once it has processed all events that it received, and waits for its report. */
export async function finishAgents(
  { temporal }: Asked,
  run: RunTarget,
  options: CallOptions,
): Promise<AgentReflectionReport> {
  const { workflowId } = partsOf(run);
  await withTypedErrors(temporal, { method: 'agents.finish', kind: 'command', workflowId }, options, async () => {
    const runId = typeof run === 'string' ? undefined : (await latestRunOf(temporal, run)).runId;
    return temporal.workflow.getHandle(workflowId, runId).signal('finish');
  });
  return resultOf({ temporal }, 'agents.finish', run, options);
}

export async function agentReflections(
  asked: Asked,
  run: RunTarget,
  { agentId, ...options }: CallOptions & { agentId?: string },
): Promise<AgentReflection[]> {
  const reflections: AgentReflection[] = [];
  const query = { method: 'agents.reflections', query: 'reflections', run };
  for await (const page of pagesOf<ReflectionsPage>(asked, query, options, { agentId })) {
    reflections.push(...page.reflections);
  }
  return reflections;
}
