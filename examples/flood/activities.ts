import { Context } from '@temporalio/activity';
import type { AgentEvent, TriggerAnswer } from '../../src/workflow';

/**
 * Tells a population of agents what happened, event by event, and hears who reflected. An attempt that is made again tells
 * the same events under the same ids, which then count once.
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
