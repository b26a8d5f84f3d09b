import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AgentEvent, TriggerAnswer } from '../../domain/agents/population';
import type { PopulationProgress, ReflectionsPage } from '../../domain/agents/population-state';

/** An event. The update answers who reflected upon it, and who did not. */
export const triggerSignal = defineSignal<[AgentEvent]>('trigger');
export const triggerUpdate = defineUpdate<TriggerAnswer, [AgentEvent]>('trigger');
/** No more events come: the run ends with its report once it has dealt with those that came. */
export const finishSignal = defineSignal('finish');
/** Who reflected, when, and why, of the current run of a chain. */
export const reflectionsQuery = defineQuery<ReflectionsPage, [{ from?: number; agentId?: string }?]>('reflections');
export const populationProgressQuery = defineQuery<PopulationProgress>('progress');
