/** A simulation as a durable workflow: its agents reflect in a child workflow, `agentReflection`. */
import {
  defineQuery,
  ParentClosePolicy,
  proxyActivities,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type AgentEvent,
  agentReflection,
  type AgentReflectionReport,
  type AgentReflectionSpec,
  finishSignal,
  type TriggerAnswer,
} from 'durable-reflection/workflow';
import type * as activities from './activities';
import {
  changePolicies,
  decide,
  type Flood,
  newWorld,
  type PolicyChange,
  present,
  takeToHeart,
  weather,
  type World,
} from './world';

export interface FloodInput {
  name: string;
  seed: number;
  years: number;
  households: number;
  /** Whether there are a government and an insurer. */
  institutions: boolean;
  config: NonNullable<AgentReflectionSpec['config']>;
  /** Minimum milliseconds of a year, to have time to watch. */
  pauseMs?: number;
  /** The only year to which the pause applies. */
  pauseYear?: number;
}

/** An event that was sent to the agents, and which of them reflected on it. */
export interface ToldEvent extends AgentEvent {
  id: string;
  reflected: string[];
}

export interface FloodYear {
  year: number;
  flood?: Flood;
  decisions: ReturnType<typeof decide>;
  policies: PolicyChange[];
  told: ToldEvent[];
}

export interface FloodResult {
  name: string;
  seed: number;
  agents: { id: string; type: string }[];
  years: FloodYear[];
  end: World;
  report: AgentReflectionReport;
}

/** The years so far; the last is the current one. */
export const yearsQuery = defineQuery<FloodYear[]>('years');

const { tell } = proxyActivities<typeof activities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '100ms' },
});

function agentsOf({ households, subsidy }: World): { id: string; type: string }[] {
  const people = households.map(({ id, type }) => ({ id, type: type as string }));
  if (subsidy === undefined) return people;
  return [...people, { id: 'government', type: 'government' }, { id: 'insurer', type: 'insurance' }];
}

/** The ids of all agents that still take part. */
function everybody(world: World): string[] {
  return [...present(world).map(({ id }) => id), ...(world.subsidy === undefined ? [] : ['government', 'insurer'])];
}

export async function floodSimulation(input: FloodInput): Promise<FloodResult> {
  const { name, seed, config, institutions, pauseMs = 0, pauseYear } = input;
  const world = newWorld(seed, input.households, institutions);
  const years: FloodYear[] = [];
  setHandler(yearsQuery, () => years);
  const agents = agentsOf(world);
  const population = await startChild(agentReflection, {
    workflowId: `${workflowInfo().workflowId}/agents`,
    args: [{ name, agents, config, seed }],
    parentClosePolicy: ParentClosePolicy.TERMINATE,
  });
  /** Sends events to the agents; returns which of them reflected. */
  const happens = async (now: FloodYear, events: (AgentEvent & { id: string })[]): Promise<string[]> => {
    if (events.length === 0) return [];
    const answers: TriggerAnswer[] = await tell(population.workflowId, events);
    const told = events.map((event, index) => ({
      ...event,
      reflected: answers[index]!.reflected.map(({ agentId }) => agentId),
    }));
    now.told.push(...told);
    return told.flatMap(({ reflected }) => reflected);
  };

  for (let year = 1; year <= input.years; year += 1) {
    const now: FloodYear = { year, decisions: [], policies: [], told: [] };
    years.push(now);
    if (pauseMs > 0 && (pauseYear ?? year) === year) await sleep(pauseMs);
    const flood = weather(world);
    if (flood) now.flood = flood;
    const shaken = await happens(now, flood ? [crisis(year, flood, institutions)] : []);
    takeToHeart(world, shaken);
    now.decisions = decide(world);
    await happens(
      now,
      now.decisions.map(({ agentId, decision }) => ({
        id: `y${year}-${agentId}`,
        kind: 'decision' as const,
        year,
        agentId,
        context: { decision },
      })),
    );
    now.policies = changePolicies(world, flood, shaken);
    await happens(now, [
      ...now.policies.map(({ policy, from, to, change }) => ({
        id: `y${year}-${policy}`,
        kind: 'institutional' as const,
        year,
        context: { policyChangeMagnitude: change, description: `the ${policy} went from ${from} to ${to}` },
      })),
      { id: `y${year}-end`, kind: 'periodic' as const, year, context: { agents: everybody(world) } },
    ]);
  }
  await population.signal(finishSignal);
  return { name, seed, agents, years, end: world, report: await population.result() };
}

function crisis(year: number, { severity, affected }: Flood, institutions: boolean): AgentEvent & { id: string } {
  return {
    id: `y${year}-flood`,
    kind: 'crisis',
    year,
    context: {
      description: `a flood of severity ${severity} reached ${affected.length} houses`,
      agents: institutions ? [...affected, 'government', 'insurer'] : affected,
    },
  };
}
