import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { callLimits } from '../../loop/limits/budget';
import { type Occasion, writeTemplateInsight } from '../../kinds/agents/state/insight-text';
import {
  countCallsLeft,
  type Insight,
  labelAndWeigh,
  type Meeting,
  type Population,
  findSpentBudget,
  recordInsight,
} from '../../kinds/agents/state/handle-event';
import type { AgentEvent } from '../../kinds/agents/state/population';
import type { TriggerAnswer } from '../../kinds/agents/contract/agent-results';
import { notePopulationUsage, type PopulationState } from '../../kinds/agents/state/population-state';
import { isFull, PENDING_CALLS } from '../../loop/limits/run-account';
import { isGivenUp } from '../retries/retried-checks';
import { callActivity, nearestActivities } from '../shared/activity-calls';
import { historyLength } from '../shared/clock';
import { workSideBySide } from '../shared/scheduling';
import { usageOfFailure, stepFailureOf } from '../shared/step-failure';

const REFLECTION_LIMIT = { mostBytes: Infinity, resultBytes: 30_000 };

interface EventRun {
  population: Population;
  state: PopulationState;
  numbered: { number: number; event: AgentEvent };
}

const WHY_CHARACTERS = 200;

type Outcome = Insight | { why: string };

function placeOf({ numbered }: EventRun): { run: string; event: number } {
  return { run: workflowInfo().firstExecutionRunId, event: numbered.number };
}

/** Agents whose memories one local activity looks at: it has 30 s, whatever the size of a batch. */
const AGENTS_AT_ONCE = 100;

async function workInParts<Item, Result>(
  items: readonly Item[],
  work: (part: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AGENTS_AT_ONCE) {
    results.push(...(await work(items.slice(from, from + AGENTS_AT_ONCE))));
  }
  return results;
}

/** Undefined when the history has no room, or the calls failed for all of their time: as if the memory were away. */
async function callIfRoom<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    // Thrown before the call is made; what goes wrong in it comes as an ActivityFailure.
    if (error instanceof ApplicationFailure && error.type === 'OutputTooLarge') return undefined;
    if (isGivenUp(error)) return undefined;
    throw error;
  }
}

const withoutMemory = (occasion: Occasion): Insight => ({ text: writeTemplateInsight(occasion), method: 'template' });

async function reflectFromTemplates(run: EventRun, occasions: readonly Occasion[]): Promise<Insight[]> {
  if (run.population.settings.memory) return workInParts(occasions, async (part) => reflectWithMemory(run, part));
  return occasions.map(withoutMemory);
}

async function reflectWithMemory(run: EventRun, occasions: readonly Occasion[]): Promise<Insight[]> {
  const { settings } = run.population;
  const outcomes = await callIfRoom(() =>
    nearestActivities(`reflect · ${occasions.length} by template`).reflectByTemplate({
      ...placeOf(run),
      occasions: [...occasions],
      importance: occasions.map((occasion) => labelAndWeigh(occasion, '', settings).importance),
      topK: settings.topK,
    }),
  );
  return outcomes?.map((outcome) => ({ ...outcome, method: 'template' })) ?? occasions.map(withoutMemory);
}

async function reflectByModel(run: EventRun, occasion: Occasion, share: number): Promise<Outcome> {
  const { state } = run;
  const { settings } = run.population;
  const { budget, config, model, timeouts, topK } = settings;
  const { maxTokens, maxUsd } = callLimits(budget, { tokenUsage: state.tokenUsage, startedAt: 0 }, 0);
  const ask = async (more: { critic?: string; opinions?: string[] }, summary: string): Promise<string> => {
    const input = {
      ...placeOf(run),
      occasion,
      topK,
      ...more,
      model,
      timeoutMs: timeouts.modelCallMs,
      maxTokens: maxTokens && Math.max(1, Math.floor(maxTokens / share)),
      maxUsd: maxUsd && maxUsd / share,
    };
    const { text, tokenUsage } = await callActivity('reflectAgent', settings, { model: true }, input, {
      summary,
      limit: REFLECTION_LIMIT,
    });
    notePopulationUsage(state, tokenUsage);
    return text;
  };
  const { agentId } = occasion;
  try {
    const opinions = await Promise.all((config.critics ?? []).map((critic) => ask({ critic }, `${agentId} · critic`)));
    return { text: await ask(opinions.length > 0 ? { opinions } : {}, `${agentId} · reflect`), method: 'llm' };
  } catch (error) {
    const { type, message } = stepFailureOf(error, true);
    notePopulationUsage(state, usageOfFailure(error));
    // All agents of an event may say so in one answer.
    return { why: `${type}: ${message}`.slice(0, WHY_CHARACTERS) };
  }
}

/** The model's reply is recorded by its own activity: a call whose reply is recorded is not made again. */
async function storeForAgents(
  run: EventRun,
  insights: readonly { occasion: Occasion; insight: Insight }[],
): Promise<void> {
  if (!run.population.settings.memory) return;
  const { settings } = run.population;
  const rows = insights.map(({ occasion, insight: { text, method: source } }) => {
    return { occasion, text, importance: labelAndWeigh(occasion, text, settings).importance, source };
  });
  const ids = await workInParts(rows, async (part) => {
    const { remember } = nearestActivities(`remember · ${part.length}`);
    const kept = await callIfRoom(() => remember({ ...placeOf(run), insights: [...part] }));
    return part.map((_, index) => kept?.[index]);
  });
  // What could not be kept goes by the name that it has in the run.
  for (const [index, { insight }] of insights.entries()) if (ids[index] !== undefined) insight.id = ids[index];
}

/** Asks the model for as many as the budget allows. Says why for the others, in the occasions' order. */
async function askModel(run: EventRun, occasions: readonly Occasion[]): Promise<Outcome[]> {
  const { settings } = run.population;
  const spent = findSpentBudget(run.state, settings);
  if (spent !== undefined) return occasions.map(() => ({ why: spent }));
  const callsEach = 1 + (settings.config.critics?.length ?? 0);
  const asked = occasions.slice(0, Math.floor(countCallsLeft(run.state, settings) / callsEach));
  const atOnce = Math.max(1, Math.floor(PENDING_CALLS / Math.max(1, callsEach - 1)));
  const outcomes = await workSideBySide(asked, atOnce, async (occasion) =>
    reflectByModel(run, occasion, asked.length * callsEach),
  );
  return occasions.map((_, index) => outcomes[index] ?? { why: 'the budget of model calls is spent' });
}

async function reflectBatch(run: EventRun, batch: readonly Occasion[], failing: Failing): Promise<Outcome[]> {
  const { method } = run.population.settings.config;
  if (method === 'template') return reflectFromTemplates(run, batch);
  const why = failing.why ?? (isFull(historyLength()) ? 'the history of the run is full' : undefined);
  const outcomes = why === undefined ? await askModel(run, batch) : batch.map(() => ({ why }));
  await storeForAgents(
    run,
    outcomes.flatMap((insight, index) => ('text' in insight ? [{ occasion: batch[index]!, insight }] : [])),
  );
  if (method === 'llm') return outcomes;
  // A model that failed for a whole batch is not tried again for every agent of the event.
  const [first] = outcomes;
  if (first && 'why' in first && outcomes.every((outcome) => 'why' in outcome)) failing.why = first.why;
  const left = batch.filter((_, index) => 'why' in outcomes[index]!);
  const instead = await reflectFromTemplates(run, left);
  return outcomes.map((outcome) => ('why' in outcome ? { ...instead.shift()!, fellBack: outcome.why } : outcome));
}

interface Failing {
  why?: string;
}

export async function reflectInBatches(
  run: EventRun,
  { occasions, skipped }: Meeting,
  onChange: () => void,
): Promise<TriggerAnswer> {
  const { population, state, numbered } = run;
  const answer: TriggerAnswer = { reflected: [], skipped: [...skipped] };
  const { batchSize } = population.settings.config;
  const failing: Failing = {};
  for (let from = 0; from < occasions.length; from += batchSize) {
    const batch = occasions.slice(from, from + batchSize);
    const outcomes = await reflectBatch(run, batch, failing);
    for (const [index, occasion] of batch.entries()) {
      const outcome = outcomes[index]!;
      if ('why' in outcome) answer.skipped.push({ agentId: occasion.agentId, why: outcome.why });
      else answer.reflected.push(recordInsight(state, population, numbered, occasion, outcome));
    }
    onChange();
  }
  return answer;
}
