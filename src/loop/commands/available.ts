import type { WaitingFor } from '../contract/waiting';
import type { CommandName } from '../base/command-payloads';
import type { JsonObject } from '../../lib/json/json';
import { extendedBudget, iterationLimit, MOST_ITERATIONS } from '../limits/budget';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState, PendingReview } from '../state/loop-state';
import { needsOf } from '../evaluation/blockers';
import { failedChecks } from '../versions/ranking';
import { limitOfReview } from './review';

export interface AvailableCommand {
  name: CommandName;
  payload: JsonObject;
}

const MORE_VERSIONS = 2;

const MOST_TOKENS = 1_000_000_000;
const MOST_USD = 1_000_000;

type Stand = Pick<LoopState, 'review' | 'extended' | 'tokenUsage'>;

export function reviewedVersion({ version, iteration }: PendingReview): number {
  return version ?? iteration;
}

function raises(state: Stand, settings: LoopSettings): { iterations?: number; tokens?: number; usd?: number } {
  const { tokens, usd } = extendedBudget(settings.budget, state.extended) ?? {};
  const room = (settings.mostIterations ?? MOST_ITERATIONS) - iterationLimit(settings, state);
  const spent = state.tokenUsage;
  const moreTokens = Math.max(settings.budget?.tokens ?? 0, spent.totalTokens - (tokens ?? 0) + 1);
  const moreUsd = Math.max(settings.budget?.usd ?? 0, (spent.usd ?? 0) - (usd ?? 0) + 0.01);
  return {
    ...(room < 1 ? {} : { iterations: Math.min(MORE_VERSIONS, room) }),
    ...(tokens === undefined ? {} : { tokens: Math.min(MOST_TOKENS, Math.ceil(moreTokens)) }),
    // An unknown cost counts as too high, whatever is allowed.
    ...(usd === undefined || spent.usd === null ? {} : { usd: Math.min(MOST_USD, Math.ceil(moreUsd * 100) / 100) }),
  };
}

const LIFTED_BY: Record<string, keyof ReturnType<typeof raises>> = {
  max_iterations: 'iterations',
  token_budget: 'tokens',
  cost_budget: 'usd',
};

/** The payload of `extend` that lifts a limit; undefined if nothing lifts it, such as a limit of model calls. */
export function findLift(state: Stand, settings: LoopSettings, limit: string): JsonObject | undefined {
  const key = LIFTED_BY[limit];
  const amount = key && raises(state, settings)[key];
  return amount === undefined ? undefined : { [key!]: amount };
}

export interface Limited {
  limit?: string;
  /** A payload of `extend`; undefined if nothing lifts the limit. */
  lift?: JsonObject;
}

export function findLimit(state: Stand, settings: LoopSettings | undefined): Limited {
  const limit = limitOfReview(state, settings);
  if (limit === undefined || !settings) return {};
  const lift = findLift(state, settings, limit);
  return { limit, ...(lift === undefined ? {} : { lift }) };
}

/** Lists the commands that a waiting run takes, in the order in which users look for them; none for a run that does not wait. */
export function availableCommands(state: Stand, settings: LoopSettings): AvailableCommand[] {
  const { review } = state;
  if (!review) return [];
  const { iteration } = review;
  const { limit, lift } = findLimit(state, settings);
  const [raised] = Object.entries(raises(state, settings));
  const extension = lift ?? (limit === undefined && raised ? { [raised[0]]: raised[1] } : undefined);
  const isStuck = limit !== undefined && lift === undefined;
  return [
    { name: 'accept', payload: { iteration: reviewedVersion(review) } },
    // If no revision can follow, the guidance would reach no model.
    ...(isStuck ? [] : [{ name: 'guide' as const, payload: { text: 'Name the source.' } }]),
    { name: 'override', payload: { output: 'your own version' } },
    ...(extension ? [{ name: 'extend' as const, payload: extension }] : []),
    { name: 'decide', payload: { iteration, decision: limit === undefined ? 'continue' : 'stop' } },
    { name: 'reflect', payload: {} },
    { name: 'abort', payload: {} },
  ];
}

/** Lists the other limits that `extend` can raise than those that a payload raises. */
export function alsoRaised(state: Stand, settings: LoopSettings, payload: JsonObject): string[] {
  return Object.keys(raises(state, settings)).filter((key) => !Object.hasOwn(payload, key));
}

export function failedChecksOf({ review, versions }: Pick<LoopState, 'review' | 'versions'>): string[] {
  const version = review && versions.find(({ iteration }) => iteration === review.version);
  return version ? failedChecks(version) : [];
}

/** The review that a run waits for, until when, and the commands that it takes, for `progress`. */
export function describeWait(
  state: Stand & Pick<LoopState, 'guidance' | 'stopped' | 'versions' | 'rules'>,
  settings: LoopSettings | undefined,
): WaitingFor | undefined {
  const { review, guidance = [] } = state;
  if (!review || !settings) return undefined;
  const otherwise = review.reason === undefined ? 'it would go on' : `it would end with ${review.reason}`;
  const { limit, lift }: Limited = guidance.length === 0 ? {} : findLimit(state, settings);
  const advice = lift ? 'extend it' : 'nothing lifts the limit';
  const held = limit === undefined ? '' : `; what it was told waits for another revision: ${advice}`;
  const failed = failedChecksOf(state);
  const needs = needsOf(state);
  return {
    kind: 'review',
    what: `a person's review of version ${reviewedVersion(review)} (${otherwise}${held})`,
    ...(review.version !== undefined && { version: review.version }),
    ...(failed.length > 0 && { failedChecks: failed }),
    ...(needs.length > 0 && { needs }),
    until: new Date(review.until).toISOString(),
    commands: availableCommands(state, settings),
  };
}
