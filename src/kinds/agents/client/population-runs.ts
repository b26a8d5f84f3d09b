import type { CallOptions } from '../../../calls/call-options';
import type { Place } from '../../../calls/run-kind';
import type { RunTarget } from '../../../calls/run-target';
import { RunsWithProgress } from '../../../calls/runs-of-kind';
import type {
  AgentReflection,
  AgentReflectionReport,
  PopulationProgress,
  TriggerAnswer,
} from '../contract/agent-results';
import type { AgentReflectionSpec } from '../contract/agents';
import type { AgentEvent } from '../state/population';
import { agentReflections, finishAgents, triggerAgents } from './population-calls';
import { populationRun } from './population-run';

/** Populations of agents that reflect on events. Their result is a report, once they were asked to finish. */
export class PopulationRuns extends RunsWithProgress<AgentReflectionSpec, AgentReflectionReport, PopulationProgress> {
  constructor(place: Place) {
    super(place, populationRun);
  }

  /**
   * Sends an event to a population, and returns which agents reflected. An event without an `id` gets one, so that it
   * can be sent again. By default a worker must accept the event within 30 s; the reflections that follow have no time
   * limit. Throws CommandRefusedError with the paths of the problems, RunNotFoundError.
   */
  async trigger(run: RunTarget, event: AgentEvent, options: CallOptions = {}): Promise<TriggerAnswer> {
    return triggerAgents(this.place.temporal, run, event, options);
  }

  /** Ends a population, and waits for its report. Throws RunFailedError, RunNotFoundError. */
  async finish(run: RunTarget, options: CallOptions = {}): Promise<AgentReflectionReport> {
    return finishAgents(this.place, run, options);
  }

  /** Reads all reflections in the whole chain of runs, or only those of the agent `agentId`. Needs a running worker. */
  async reflections(run: RunTarget, options: CallOptions & { agentId?: string } = {}): Promise<AgentReflection[]> {
    return agentReflections(this.place, run, options);
  }
}
