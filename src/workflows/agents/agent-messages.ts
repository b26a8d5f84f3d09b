import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AgentEvent } from '../../kinds/agents/state/population';
import type { TriggerAnswer, PopulationProgress, ReflectionsPage } from '../../kinds/agents/contract/agent-results';

/** An event. The update returns which agents reflected on it, and which did not. */
export const triggerSignal = defineSignal<[AgentEvent]>('trigger');
export const triggerUpdate = defineUpdate<TriggerAnswer, [AgentEvent]>('trigger');
/** No more events follow: the run ends with its report once it has processed the events that it received. */
export const finishSignal = defineSignal('finish');
/** The reflections of the current run of a chain: which agent, when, and why. */
export const reflectionsQuery = defineQuery<ReflectionsPage, [{ from?: number; agentId?: string }?]>('reflections');
export const populationProgressQuery = defineQuery<PopulationProgress>('progress');

export const MESSAGES = {
  trigger: 'An event, upon which agents may reflect.',
  finish: 'No more events follow: the run ends once it has dealt with those that it has.',
  reflections: 'Which agent reflected, when and why. Takes {"from": 0, "agentId": "…"}.',
  progress: 'Where the population stands.',
} as const;
