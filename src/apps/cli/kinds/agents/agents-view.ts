import pc from 'picocolors';
import type { AgentReflectionSpec } from '../../../../kinds/agents/contract/agents';
import type {
  AgentReflection,
  AgentReflectionReport,
  PopulationCounts,
  TriggerAnswer,
  PopulationProgress,
  ReflectionsPage,
} from '../../../../kinds/agents/contract/agent-results';
import type { Question, Teller } from '../../follow/follow-parts';
import { makeFollow, makeShow, type RunView } from '../../show/run-view';
import { command, count, oneLine } from '../../views/printable';
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

function agentsDoing({ phase, year, waitingEvents }: PopulationProgress): string {
  const when = year === null ? '' : `, year ${year}`;
  const rest = waitingEvents === 0 ? '' : `, ${count(waitingEvents, 'event')} to come`;
  return `${phase === 'waiting' ? 'waiting for events' : phase}${when}${rest}`;
}

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

export function reportText({ agents, counts, reflections, omitted, tokenUsage }: AgentReflectionReport): string {
  const head = [pc.green('✓ finished'), count(agents, 'agent'), countsText(counts), costText(tokenUsage)];
  return [
    head.join(' · '),
    ...(reflections.length === 0 ? [] : ['', reflectionTable(reflections.slice(-20))]),
    ...(reflections.length > 20 || omitted.reflections > 0 ? ['', pc.dim('The latest 20; --json shows more.')] : []),
  ].join('\n');
}

/** The number of past reflections that are printed when a user begins to follow. */
const OF_THE_PAST = 20;

function reflectionLine({ number, year, agentId, kind, method, insight }: AgentReflection): string {
  const who = `${pc.dim(`#${number}`)}  year ${year}  ${pc.bold(oneLine(agentId, 40))}`;
  return `${who}  upon ${kind}, by ${method}: ${oneLine(insight, 200)}`;
}

/** Reports which agents of a population reflect, as it happens. */
function agentsTeller({ write }: Teller, query: Question): (progress: PopulationProgress) => Promise<void> {
  let told = -1;
  return async ({ counts: { reflections: made } }) => {
    if (told < 0) {
      told = Math.max(0, made - OF_THE_PAST);
      if (told > 0) write([pc.dim(`(${told} earlier)`)]);
    }
    while (told < made) {
      const page = await query<ReflectionsPage>('reflections', { from: told + 1 });
      const last: AgentReflection | undefined = page?.reflections.at(-1);
      // No worker answered, or the missing reflections were made by an earlier run of the chain.
      if (!page || !last) return;
      write(page.reflections.map(reflectionLine));
      told = last.number;
    }
  };
}

export const populationView: RunView<AgentReflectionSpec> = {
  notRun: (file) => [
    `${file} holds a population, which lives until it is told to finish.`,
    `Start it: npx reflect agents start ${file}`,
  ],
  cancelled: '',
  shown: makeShow((client) => client.agents, {
    resultName: 'report',
    endSaysAll: true,
    output: ({ result }) => result && JSON.stringify(result, null, 2),
    noOutput: (status) => [`The population has no report: it is ${status}.`, 'Look at it without --output.'],
    resultText: reportText,
    standing: (progress, { workflowId }) => [
      agentsStanding(progress),
      '',
      `Who reflected: ${command(`npx reflect agents reflections ${workflowId}`)}`,
      `End it: ${command(`npx reflect agents finish ${workflowId}`)}`,
    ],
  }),
  follow: makeFollow((client) => client.agents, {
    teller: agentsTeller,
    doing: agentsDoing,
    usage: ({ tokenUsage }) => tokenUsage,
    isGood: () => true,
    resultText: reportText,
  }),
};
