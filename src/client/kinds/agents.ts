import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, WorkflowUpdateFailedError, WorkflowUpdateStage } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type {
  AgentEvent,
  AgentReflection,
  AgentReflectionReport,
  AgentReflectionSpec,
  TriggerAnswer,
} from '../../domain/agents/population';
import { populationLine } from '../../domain/page/population-page';
import type { ReflectionsPage } from '../../domain/agents/population-state';
import type { ClientCall } from '../../domain/errors/call-errors';
import { InvalidSpecError } from '../../domain/errors/errors';
import { parseAgentReflection } from '../../schemas';
import { withTypedErrors } from '../with-typed-errors';
import { type CallOptions, NO_LIMIT_MS } from '../call-options';
import { chainOf } from '../chain';
import type { StartOptions } from '../start-options';
import { ask, type Place, resultOf, type Started, startRun } from '../start-run';

/**
 * A run that is being handed over takes an event a moment later, or when those that it has taken are dealt with, which is a matter
 * of model calls: some ten minutes altogether.
 */
const HAND_OVER = { attempts: 300, waitMs: 200, mostMs: 2_000 };

/** Starts `agentReflection`. */
export async function startAgents(
  place: Place,
  spec: AgentReflectionSpec,
  options: StartOptions,
): Promise<Started<AgentReflectionReport>> {
  const parsed = parseAgentReflection(spec);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const staticSummary = populationLine(parsed.spec);
  const start = { method: 'startAgents', type: 'agentReflection', argument: parsed.spec, staticSummary };
  return startRun(place, { ...start, prefix: 'agents', listedAs: 'other' }, options);
}

function isHandingOver(error: unknown): boolean {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'HandingOver';
}

/**
 * Tells a population of an event; sent again where its run was just being handed over, and had not taken it. A worker must take it
 * in time; how long its agents then reflect is bounded only where the caller says so.
 */
export async function triggerAgents(
  temporal: Client,
  workflowId: string,
  event: AgentEvent,
  options: CallOptions,
): Promise<TriggerAnswer> {
  const handle = temporal.workflow.getHandle(workflowId);
  const commandId = event.id ?? randomUUID();
  const call: ClientCall = { method: 'triggerAgents', kind: 'command', workflowId, commandId };
  const sending = { args: [{ ...event, id: commandId }] as [AgentEvent], waitForStage: WorkflowUpdateStage.ACCEPTED };
  for (let left = HAND_OVER.attempts; ; left -= 1) {
    const taken = await withTypedErrors(temporal, call, options, () =>
      handle.startUpdate<TriggerAnswer, [AgentEvent]>('trigger', sending),
    );
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

/** Ends a population once it has dealt with all events that it was told of. */
export async function finishAgents(
  place: Place,
  workflowId: string,
  options: CallOptions,
): Promise<AgentReflectionReport> {
  const { temporal } = place;
  await withTypedErrors(temporal, { method: 'finishAgents', kind: 'command', workflowId }, options, () =>
    temporal.workflow.getHandle(workflowId).signal('finish'),
  );
  return resultOf(place, 'finishAgents', workflowId, options);
}

/** All reflections of a chain of runs, each of which is asked in turn. */
export async function agentReflections(
  place: Place,
  workflowId: string,
  { agentId, ...options }: CallOptions & { agentId?: string },
): Promise<AgentReflection[]> {
  const reflections: AgentReflection[] = [];
  const method = 'agentReflections';
  for (const runId of await chainOf(place, { method, workflowId }, options)) {
    let from: number | undefined = 1;
    while (from !== undefined) {
      const question = { from, ...(agentId === undefined ? {} : { agentId }) };
      const asked = { method, query: 'reflections', workflowId, runId };
      const page: ReflectionsPage = await ask<ReflectionsPage>(place, asked, options, question);
      reflections.push(...page.reflections);
      from = page.next;
    }
  }
  return reflections;
}
