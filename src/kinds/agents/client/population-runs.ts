import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { WorkflowUpdateFailedError, WorkflowUpdateStage } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type CallOptions, NO_LIMIT_MS } from '../../../calls/call-options';
import { pagesOf } from '../../../calls/chain';
import { withTypedErrors } from '../../../calls/errors/with-typed-errors';
import { resultOf } from '../../../calls/questions';
import { firstRunOf, latestRunOf, partsOf, type RunTarget } from '../../../calls/run-target';
import { RunsWithProgress } from '../../../calls/runs-of-kind';
import type { ClientCall } from '../../../loop/errors/call-errors';
import type {
  AgentReflection,
  AgentReflectionReport,
  PopulationProgress,
  ReflectionsPage,
  TriggerAnswer,
} from '../contract/agent-results';
import type { AgentReflectionSpec } from '../contract/agents';
import type { AgentEvent } from '../state/population';

/** The next run takes an event once those taken before are processed, with their model calls: some ten minutes altogether. */
const HAND_OVER = { attempts: 300, waitMs: 200, mostMs: 2_000 };

function isHandingOver(error: unknown): boolean {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'HandingOver';
}

/** Populations of agents that reflect on events. Their result is a report, once they were asked to finish. */
export class PopulationRuns extends RunsWithProgress<AgentReflectionSpec, AgentReflectionReport, PopulationProgress> {
  /**
   * Sends an event to a population, and returns which agents reflected. An event without an `id` gets one, so that it
   * can be sent again. By default a worker must accept the event within 30 s; the reflections that follow have no time
   * limit. Throws CommandRefusedError with the paths of the problems, RunNotFoundError.
   */
  async trigger(run: RunTarget, event: AgentEvent, options: CallOptions = {}): Promise<TriggerAnswer> {
    const { temporal } = this.place;
    const { workflowId } = partsOf(run);
    const commandId = event.id ?? randomUUID();
    const call: ClientCall = { method: 'agents.trigger', kind: 'command', workflowId, commandId };
    const sending = { args: [{ ...event, id: commandId }] as [AgentEvent], waitForStage: WorkflowUpdateStage.ACCEPTED };
    // A run that was just being taken over has not taken the event.
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

  /** Ends a population, and waits for its report. Throws RunFailedError, RunNotFoundError. */
  async finish(run: RunTarget, options: CallOptions = {}): Promise<AgentReflectionReport> {
    const { temporal } = this.place;
    const { workflowId } = partsOf(run);
    await withTypedErrors(temporal, { method: 'agents.finish', kind: 'command', workflowId }, options, async () => {
      const runId = typeof run === 'string' ? undefined : (await latestRunOf(temporal, run)).runId;
      return temporal.workflow.getHandle(workflowId, runId).signal('finish');
    });
    return resultOf({ temporal }, 'agents.finish', run, options);
  }

  /** Reads all reflections in the whole chain of runs, or only those of the agent `agentId`. Needs a running worker. */
  async reflections(
    run: RunTarget,
    { agentId, ...options }: CallOptions & { agentId?: string } = {},
  ): Promise<AgentReflection[]> {
    const reflections: AgentReflection[] = [];
    const query = { method: 'agents.reflections', query: 'reflections', run };
    for await (const page of pagesOf<ReflectionsPage>(this.place, query, options, { agentId })) {
      reflections.push(...page.reflections);
    }
    return reflections;
  }
}
