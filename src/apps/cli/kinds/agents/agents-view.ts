import pc from 'picocolors';
import type {
  AgentReflection,
  AgentReflectionReport,
  PopulationCounts,
  TriggerAnswer,
  PopulationProgress,
} from '../../../../kinds/agents/contract/agent-results';
import { count, oneLine } from '../../views/printable';
import { plainTable } from '../../terminal/table';
import { costText } from '../../views/result-view';

const SKIPPED = 5;

const countsText = ({ reflections, events }: PopulationCounts): string =>
  `${count(reflections, 'reflection')} upon ${count(events, 'event')}`;

export function agentsStanding({ phase, agents, year, waitingEvents, counts, tokenUsage }: PopulationProgress): string {
  return [
    phase,
    ...(year === null ? [] : [`year ${year}`]),
    count(agents, 'agent'),
    countsText(counts),
    ...(waitingEvents === 0 ? [] : [`${count(waitingEvents, 'event')} to come`]),
    costText(tokenUsage),
  ].join(' · ');
}

/** Describes in a few words what a population does now. */
export function agentsDoing({ phase, year, waitingEvents }: PopulationProgress): string {
  const when = year === null ? '' : `, year ${year}`;
  const rest = waitingEvents === 0 ? '' : `, ${count(waitingEvents, 'event')} to come`;
  return `${phase === 'waiting' ? 'waiting for events' : phase}${when}${rest}`;
}

/** Lists the agents that reflected upon an event, and why the others did not. */
export function answerText({ reflected, skipped, repeated }: TriggerAnswer): string {
  const rows = reflected.map(({ agentId, method, insightId }) => [
    oneLine(agentId, 60),
    method,
    oneLine(insightId, 60),
  ]);
  const why = new Map<string, string[]>();
  for (const each of skipped) why.set(each.why, [...(why.get(each.why) ?? []), each.agentId]);
  return [
    repeated
      ? pc.yellow('An event of this id was taken before: nothing happened now.')
      : `${pc.green(`✓ ${count(reflected.length, 'agent')} reflected`)} · ${skipped.length} did not`,
    ...(rows.length === 0 ? [] : ['', plainTable(['agent', 'by', 'insight'], rows)]),
    ...(why.size === 0 ? [] : ['']),
    ...[...why].map(([reason, agents]) => {
      const named = agents.slice(0, SKIPPED).map((agent) => oneLine(agent, 40));
      const more = agents.length > SKIPPED ? ` and ${agents.length - SKIPPED} more` : '';
      return `  ${named.join(', ')}${more}: ${oneLine(reason, 200)}`;
    }),
  ].join('\n');
}

export function reflectionTable(reflections: readonly AgentReflection[]): string {
  const rows = reflections.map(({ number, year, agentId, kind, method, insight }) => [
    number,
    year,
    oneLine(agentId, 40),
    kind,
    method,
    oneLine(insight, 100),
  ]);
  return plainTable(['#', 'year', 'agent', 'upon', 'by', 'insight'], rows);
}

/** Renders the report of a population that finished. */
export function reportText({ agents, counts, reflections, omitted, tokenUsage }: AgentReflectionReport): string {
  const head = [pc.green('✓ finished'), count(agents, 'agent'), countsText(counts), costText(tokenUsage)];
  return [
    head.join(' · '),
    ...(reflections.length === 0 ? [] : ['', reflectionTable(reflections.slice(-20))]),
    ...(reflections.length > 20 || omitted.reflections > 0 ? ['', pc.dim('The latest 20; --json shows more.')] : []),
  ].join('\n');
}
