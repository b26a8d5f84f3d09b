import { Context } from '@temporalio/activity';
import {
  renderCriticPrompt,
  labelInsight,
  type Occasion,
  renderReflectionPrompt,
  writeTemplateInsight,
} from '../../kinds/agents/state/insight-text';
import type { PopulationSettings } from '../../kinds/agents/state/population';
import { questionsFor } from '../../kinds/agents/state/agent-type';
import { allows } from '../../lib/base/allow-list';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import type { Models } from '../../lib/models/types';
import { parseAgentReflection, populationSettings } from '../../kinds/agents/parse/agents';
import { fenceText } from '../../lib/templates/fence';
import type { NewInsight } from '../../lib/memory/insight';
import type { AgentMemory } from '../memory/agent-memory';
import { attemptCheck, refuse } from '../prepare/checks';
import { askPatiently } from '../memory/memory-patience';
import { modelMistakes } from '../prepare/prepare';
import {
  memoryMissingFailure,
  describeMemoryNotServed,
  describeNoMemory,
  RETRY_MS,
  servedMemory,
} from '../memory/served-agents';
import type {
  AgentActivities,
  AgentPreparation,
  ReflectAgentInput,
  ReflectAgentOutcome,
  RememberInput,
  TemplateInput,
  TemplateOutcome,
} from './protocol';
import type { ActivityDependencies, PrepareDependencies } from '../dependencies';
import { omitUndefined } from '../../lib/base/defined';
import { workflowId } from '../execution/current-run';
import { runGuarded } from '../execution/run-guarded';

const REPLY_CHARACTERS = 4_000;
/** Memories of what happened that have a place among insights. */
const HAPPENINGS = 2;
/** The time for all recalls of one batch together: a slow memory costs the agents at its end their memories. */
const RECALL_TOGETHER_MS = 8_000;
/** A memory that is away is waited for so long. With the time above, these are less than the 30 s of a local activity. */
const RECALL_FOR_MS = 5_000;
const STORE_FOR_MS = 10_000;

function tenantOfRun(): string {
  return Context.current().info.namespace;
}

/** Names an agent in the memory: memories belong to a population, and two simulations may share a name. */
function memoryAgent(agentId: string): string {
  return `${workflowId()}/${agentId}`;
}

async function withMemories(
  occasion: Occasion,
  { topK, run, event }: { topK: number; run: string; event: number },
  memory: AgentMemory | undefined,
): Promise<Occasion | undefined> {
  if (!memory || topK === 0) return occasion;
  const request = {
    tenant: tenantOfRun(),
    agent: memoryAgent(occasion.agentId),
    query: [occasion.event ?? occasion.trigger, ...questionsFor(occasion.agentType)].join(' '),
    // One more, for the insight that an attempt which was lost may have written already.
    limit: topK + 1,
    // The one model call of an execution is that of the reflection, and local activities make none at all.
    embed: false,
  };
  const recalled = await askPatiently(() => memory.recall(request), RECALL_FOR_MS, 'Nothing was recalled');
  if (!recalled) return undefined;
  const insights = recalled
    .filter(({ provenance }) => provenance.run !== run || provenance.iteration !== event)
    .map(({ text }) => text);
  const places = topK - Math.min(HAPPENINGS, occasion.memories.length);
  return { ...occasion, memories: [...insights.slice(0, places), ...occasion.memories].slice(0, topK) };
}

function newInsight(
  { agentId, year, trigger, agentType }: Occasion,
  { text, importance, source }: { text: string; importance: number; source: string },
  { run, event }: { run: string; event: number },
): NewInsight {
  const { scheduledTimestampMs } = Context.current().info;
  const provenance = { workflowId: workflowId(), run, iteration: event, kind: `agent:${agentId}` };
  return {
    text: labelInsight(year, text),
    agent: memoryAgent(agentId),
    importance,
    type: 'reflection',
    source,
    tags: [trigger, agentType, `year:${year}`],
    createdAt: new Date(scheduledTimestampMs).toISOString(),
    provenance,
  };
}

/** Agents whose memory this worker keeps to itself. The first says it: mostly it is the population's id that decides. */
function agentMistakes(
  agents: readonly { id: string }[],
  { memory, allowedAgents }: PrepareDependencies,
): SpecProblem[] {
  if (!memory || !allowedAgents) return [];
  const index = agents.findIndex(({ id }) => !allows(allowedAgents, memoryAgent(id)));
  return index === -1
    ? []
    : [{ path: `/agents/${index}/id`, message: describeMemoryNotServed(memoryAgent(agents[index]!.id)) }];
}

function mistakesOf(spec: unknown, dependencies: PrepareDependencies): SpecProblem[] {
  const { models } = dependencies;
  const parsed = parseAgentReflection(spec);
  if ('problems' in parsed) return parsed.problems;
  const { agents, model, budget, config } = parsed.spec;
  const problems: SpecProblem[] = modelMistakes(models, '/model', model);
  const asks = config?.reflection.method !== 'template';
  if (asks && budget?.usd !== undefined && problems.length === 0 && !models.hasPrice(model)) {
    problems.push({ path: '/budget/usd', message: 'no price known for the model: its worker needs `prices`' });
  }
  return [...problems, ...agentMistakes(agents, dependencies)];
}

async function prepareAgents(spec: unknown, dependencies: PrepareDependencies): Promise<AgentPreparation> {
  const settings = await attemptCheck(async (): Promise<PopulationSettings> => {
    const parsed = parseAgentReflection(spec);
    const problems = mistakesOf(spec, dependencies);
    if ('problems' in parsed || problems.length > 0) throw refuse(problems);
    const { timeouts, ...rest } = populationSettings(parsed.spec);
    return {
      ...rest,
      timeouts: { ...timeouts, ...dependencies.heartbeats?.() },
      memory: dependencies.memory !== undefined,
    };
  });
  return { settings, searchAttributes: await dependencies.searchAttributes() };
}

/** Makes one model call: for an agent's insight, or for the statement of one critic about it. */
export async function reflectAgent(
  { occasion, critic, opinions = [], ...input }: ReflectAgentInput,
  { models, signal }: { models: Models; signal: AbortSignal },
  memory: AgentMemory | undefined,
): Promise<ReflectAgentOutcome> {
  const whole = (await withMemories(occasion, input, memory)) ?? occasion;
  signal.throwIfAborted();
  const content =
    critic === undefined
      ? renderReflectionPrompt(whole, opinions, fenceText)
      : renderCriticPrompt(whole, critic, fenceText);
  const { model, maxTokens, maxUsd, timeoutMs } = input;
  const request = omitUndefined({
    model,
    messages: [{ role: 'user' as const, content }],
    tokensLeft: maxTokens,
    maxUsd,
    timeoutMs,
    signal,
  });
  const { text, usage } = await models.call(request);
  return { text: text.trim().slice(0, REPLY_CHARACTERS), tokenUsage: usage };
}

/** Writes insights, each once however often this is tried. Gives their ids; null if the memory is away. */
async function rememberInsights(
  { insights, ...place }: RememberInput,
  memory: AgentMemory | undefined,
): Promise<string[] | null> {
  const rows = insights.map(({ occasion, ...insight }) => newInsight(occasion, insight, place));
  const kept = requireMemory(memory);
  const store = () => kept.store(tenantOfRun(), rows, { embed: false });
  const stored = await askPatiently(store, STORE_FOR_MS, 'What agents learned was not kept');
  return stored?.map(({ id }) => id) ?? null;
}

async function reflectByTemplate(
  { occasions, importance, ...place }: TemplateInput,
  memory: AgentMemory | undefined,
): Promise<TemplateOutcome[]> {
  const insights: RememberInput['insights'] = [];
  let present = memory;
  const began = Date.now();
  for (const [index, occasion] of occasions.entries()) {
    const whole = await withMemories(occasion, place, present);
    // What is away for one, or slow, is not waited for by all of a batch.
    if (!whole || Date.now() - began > RECALL_TOGETHER_MS) present = undefined;
    const text = writeTemplateInsight(whole ?? occasion);
    insights.push({ occasion, text, importance: importance[index]!, source: 'template' });
  }
  const ids = await rememberInsights({ ...place, insights }, memory);
  return insights.map(({ text }, index) => ({ text, ...(ids ? { id: ids[index]! } : {}) }));
}

function requireMemory(memory: AgentMemory | undefined): AgentMemory {
  // The run waits for a worker that has it.
  if (!memory) throw memoryMissingFailure(describeNoMemory(), RETRY_MS);
  return memory;
}

export function agentActivities(dependencies: ActivityDependencies): AgentActivities {
  const memory = servedMemory(dependencies.memory, dependencies.allowedAgents);
  return {
    prepareAgents: ({ spec }) => prepareAgents(spec, dependencies),
    reflectAgent: (input) => runGuarded('Model', dependencies, {}, (given) => reflectAgent(input, given, memory)),
    reflectByTemplate: (input) => reflectByTemplate(input, memory),
    remember: (input) => rememberInsights(input, memory),
  };
}
