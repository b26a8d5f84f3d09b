import { spendingText } from '../../../loop/limits/budget';
import { escapeMarkdown, joinParagraphs } from '../../../loop/page/markdown';
import type { PopulationSettings } from '../state/population';
import type { AgentReflectionSpec } from '../contract/agents';
import type { TakenEvent, PopulationProgress } from '../contract/agent-results';
import type { PopulationState } from '../state/population-state';
import { renderCount, renderCountAre } from '../../../lib/text/counted';

const EVENTS = 20;
const INSIGHTS = 5;

export function renderPopulationLine({ name = 'agents', agents, config }: AgentReflectionSpec): string {
  return `${escapeMarkdown(name, 60)} · ${renderCount(agents.length, 'agent')} · ${config?.reflection.method ?? 'hybrid'}`;
}

export function populationProgress(
  { events, waiting, counts, tokenUsage, finishing }: PopulationState,
  agents: number,
  phase: PopulationProgress['phase'],
): PopulationProgress {
  const year = waiting[0]?.event.year ?? events.at(-1)?.year ?? null;
  const isOver = finishing === true && waiting.length === 0 && phase === 'waiting';
  return { phase: isOver ? 'done' : phase, agents, year, waitingEvents: waiting.length, counts, tokenUsage };
}

/** Renders an event in a list: columns of a table have no gap in the Web UI. */
function eventLine({ kind, year, agentId, description, decision, reflected, skipped }: TakenEvent): string {
  const what = [agentId, decision, description].filter((text) => text !== undefined);
  const who = `${reflected} reflected${skipped > 0 ? `, ${skipped} did not` : ''}`;
  return `- Year ${year}, ${kind}: ${[...what.map((text) => escapeMarkdown(text, 80)), who].join(' · ')}`;
}

const DOING: Record<PopulationProgress['phase'], string> = {
  preparing: 'Checking the spec',
  waiting: 'Waiting for events',
  reflecting: 'Agents reflect',
  done: 'Ended',
};

export function renderPopulationPage(
  state: PopulationState,
  { agents, year, phase, counts }: PopulationProgress,
  settings: PopulationSettings | undefined,
): string {
  const shown = state.events.slice(-EVENTS);
  const hidden = counts.events - shown.length;
  const latest = state.reflections
    .slice(-INSIGHTS)
    .map(
      ({ agentId, insight, method }) => `- ${escapeMarkdown(agentId, 60)} (${method}): ${escapeMarkdown(insight, 200)}`,
    );
  return joinParagraphs([
    `**${DOING[phase]}${year === null ? '' : ` · year ${year}`} · ${renderCount(agents, 'agent')} · ${renderCount(counts.reflections, 'reflection')} upon ${renderCount(counts.events, 'event')}**`,
    shown.map(eventLine),
    hidden > 0 && `${renderCountAre(hidden, 'earlier event')} not shown.`,
    latest.length > 0 && 'Latest insights:',
    latest,
    settings && settings.config.method !== 'template' && spendingText(state.tokenUsage, settings.budget),
    ...state.refused.map((text) => `- refused: ${escapeMarkdown(text, 200)}`),
    phase === 'waiting' && 'Send `trigger` with an event, or `finish` to end.',
  ]);
}
