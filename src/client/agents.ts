import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type {
  AgentEvent,
  AgentReflection,
  AgentReflectionReport,
  AgentReflectionSpec,
  TriggerAnswer,
} from '../domain/agents/population';
import type { PopulationProgress, ReflectionsPage } from '../domain/agents/population-state';
import { populationLine } from '../domain/agents/population-page';
import { InvalidSpecError } from '../domain/errors';
import { parseAgentReflection } from '../schemas';
import { eagerStart } from './eager-start';
import { chainOf } from './chain';
import type { RunReference, StartOptions } from './start-options';
import { startListed } from './started-attributes';
import { about } from './typed-error';

/** A run that is just being handed over takes an event a moment later. */
const HAND_OVER = { attempts: 50, waitMs: 200 };

/** Starts `agentReflection`. */
export async function startAgents(
  { temporal, taskQueue }: { temporal: Client; taskQueue: string },
  spec: AgentReflectionSpec,
  { workflowId = `agents-${randomUUID()}` }: StartOptions,
): Promise<RunReference> {
  const parsed = parseAgentReflection(spec);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const handle = await startListed(temporal, 'other', (attributes) =>
    temporal.workflow.start('agentReflection', {
      ...eagerStart(temporal),
      ...attributes,
      taskQueue,
      workflowId,
      args: [parsed.spec],
      staticSummary: populationLine(parsed.spec),
    }),
  );
  return { workflowId, runId: handle.firstExecutionRunId };
}

function isHandingOver(error: unknown): boolean {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'HandingOver';
}

/** Tells a population of an event; sent again where its run was just being handed over, and had not taken it. */
export async function triggerAgents(temporal: Client, workflowId: string, event: AgentEvent): Promise<TriggerAnswer> {
  const handle = temporal.workflow.getHandle(workflowId);
  return about(workflowId, async () => {
    for (let left = HAND_OVER.attempts; ; left -= 1) {
      try {
        return await handle.executeUpdate<TriggerAnswer, [AgentEvent]>('trigger', { args: [event] });
      } catch (error) {
        if (left === 0 || !isHandingOver(error)) throw error;
        await wait(HAND_OVER.waitMs);
      }
    }
  });
}

/** Ends a population once it has dealt with all events that it was told of. */
export async function finishAgents(temporal: Client, workflowId: string): Promise<AgentReflectionReport> {
  const handle = temporal.workflow.getHandle(workflowId);
  return about(workflowId, async () => {
    await handle.signal('finish');
    return handle.result() as Promise<AgentReflectionReport>;
  });
}

/** The report of a population that was told to finish. */
export async function agentsReport(temporal: Client, workflowId: string): Promise<AgentReflectionReport> {
  return about(workflowId, () => temporal.workflow.getHandle(workflowId).result() as Promise<AgentReflectionReport>);
}

/** Where a population stands. */
export async function agentsProgress(temporal: Client, workflowId: string): Promise<PopulationProgress> {
  return about(workflowId, () => temporal.workflow.getHandle(workflowId).query<PopulationProgress>('progress'));
}

/** All reflections of a chain of runs, each of which is asked in turn. */
export async function agentReflections(
  temporal: Client,
  workflowId: string,
  agentId: string | undefined,
): Promise<AgentReflection[]> {
  return about(workflowId, async () => {
    const reflections: AgentReflection[] = [];
    for (const runId of await chainOf(temporal, workflowId)) {
      const handle = temporal.workflow.getHandle(workflowId, runId);
      let from: number | undefined = 1;
      while (from !== undefined) {
        const question: { from: number; agentId?: string } = { from, ...(agentId === undefined ? {} : { agentId }) };
        const page: ReflectionsPage = await handle.query<ReflectionsPage, [typeof question]>('reflections', question);
        reflections.push(...page.reflections);
        from = page.next;
      }
    }
    return reflections;
  });
}
