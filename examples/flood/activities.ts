import { Context } from '@temporalio/activity';
import type { AgentEvent, TriggerAnswer } from 'durable-reflection';

/**
 * Sends events to a population of agents, one by one, and returns which agents reflected. A retry sends the same events
 * with the same ids, so each counts once.
 */
export async function tell(populationId: string, events: AgentEvent[]): Promise<TriggerAnswer[]> {
  const { client } = Context.current();
  const population = client.workflow.getHandle(populationId);
  const answers: TriggerAnswer[] = [];
  for (const event of events) {
    Context.current().heartbeat();
    answers.push(await population.executeUpdate<TriggerAnswer, [AgentEvent]>('trigger', { args: [event] }));
  }
  return answers;
}
