import { spendingText } from '../limits/budget';
import { plain } from './run-page';
import type { AgentReflectionSpec, PopulationSettings, TakenEvent } from '../agents/population';
import type { PopulationProgress, PopulationState } from '../agents/population-state';

const EVENTS = 20;
const INSIGHTS = 5;

/** One line about a population, as the run list shows it. */
export function populationLine({ name = 'agents', agents, config }: AgentReflectionSpec): string {
  return `${plain(name, 60)} · ${agents.length} ${agents.length === 1 ? 'agent' : 'agents'} · ${config?.reflection.method ?? 'hybrid'}`;
}

/** Where a population stands. */
export function populationProgress(
  { events, waiting, counts, tokenUsage, finishing }: PopulationState,
  agents: number,
  phase: PopulationProgress['phase'],
): PopulationProgress {
  const year = waiting[0]?.event.year ?? events.at(-1)?.year ?? null;
  const isOver = finishing === true && waiting.length === 0 && phase === 'waiting';
  return { phase: isOver ? 'done' : phase, agents, year, waitingEvents: waiting.length, counts, tokenUsage };
}

/** In a list: columns of a table stand without a gap in the Web UI. */
function eventLine({ kind, year, agentId, description, decision, reflected, skipped }: TakenEvent): string {
  const what = [agentId, decision, description].filter((text) => text !== undefined);
  const who = `${reflected} reflected${skipped > 0 ? `, ${skipped} did not` : ''}`;
  return `- Year ${year}, ${kind}: ${[...what.map((text) => plain(text, 80)), who].join(' · ')}`;
}

const DOING: Record<PopulationProgress['phase'], string> = {
  preparing: 'Checking the spec',
  waiting: 'Waiting for events',
  reflecting: 'Agents reflect',
  done: 'Ended',
};

/** The run's current details in Markdown, for the Temporal Web UI. */
export function populationPage(
  state: PopulationState,
  { agents, year, phase, counts }: PopulationProgress,
  settings: PopulationSettings | undefined,
): string {
  const lines = [
    `**${DOING[phase]}${year === null ? '' : ` · year ${year}`} · ${agents} agents · ${counts.reflections} reflections upon ${counts.events} events**`,
  ];
  const shown = state.events.slice(-EVENTS);
  if (shown.length > 0) {
    lines.push('', ...shown.map(eventLine));
  }
  const hidden = counts.events - shown.length;
  if (hidden > 0) lines.push('', `${hidden} earlier events are not shown.`);
  const latest = state.reflections.slice(-INSIGHTS);
  if (latest.length > 0) lines.push('', 'Latest insights:', '');
  for (const { agentId, insight, method } of latest) {
    lines.push(`- ${plain(agentId, 60)} (${method}): ${plain(insight, 200)}`);
  }
  if (settings && settings.config.method !== 'template')
    lines.push('', spendingText(state.tokenUsage, settings.budget));
  for (const text of state.refused) lines.push('', `- refused: ${plain(text, 200)}`);
  if (phase === 'waiting') lines.push('', 'Send `trigger` with an event, or `finish` to end.');
  return lines.join('\n');
}
