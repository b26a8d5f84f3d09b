import { textOf } from '../../lib/json/json';
import { issueIdentity } from '../state/evaluation';
import type { Issue } from '../contract/evaluation';
import { DECISION_WINDOW } from '../base/rules';
import { REVISION_METHODS } from '../base/choices';
import type { RevisionMethod } from '../contract/loop-options';
import type { Origin, PendingOutput, ReflectionVersion } from '../state/loop-state';
import { isWorse } from './selection';

/** By the way of revising. */
export interface IssueAttempts {
  asked: Record<RevisionMethod, number>;
  failed: Record<RevisionMethod, number>;
}

function none(): Record<RevisionMethod, number> {
  return { targeted_edit: 0, incremental: 0, full_rewrite: 0, resample: 0 };
}

export function recentVersions(versions: readonly ReflectionVersion[], atLeast = 0): readonly ReflectionVersion[] {
  return versions.slice(-Math.max(DECISION_WINDOW, atLeast));
}

function baseOf(
  version: ReflectionVersion,
  versions: readonly ReflectionVersion[],
  origins: readonly Origin[] = ['revision'],
): ReflectionVersion | undefined {
  if (!origins.includes(version.origin)) return undefined;
  const base = version.basedOn ?? version.iteration - 1;
  return versions.find(({ iteration }) => iteration === base);
}

/** The newest first. A judge that overlooks half of the issues found some in earlier versions: its silence proves no fix. */
export function lineageIssues(version: ReflectionVersion, versions: readonly ReflectionVersion[]): Issue[] {
  const found = new Map<string, Issue>();
  for (let at: ReflectionVersion | undefined = version; at; at = baseOf(at, versions)) {
    for (const issue of at.evaluation.issues) {
      const key = issueIdentity(issue);
      if (!found.has(key)) found.set(key, issue);
    }
  }
  return [...found.values()];
}

function isMethod(strategy: string | undefined): strategy is RevisionMethod {
  return (REVISION_METHODS as readonly (string | undefined)[]).includes(strategy);
}

/** Counts the latest revisions in a row that repaired a version and did not make it better. */
export function fruitlessRepairs(versions: readonly ReflectionVersion[]): number {
  const recent = recentVersions(versions);
  const from = recent.findLastIndex((version) => !isFruitless(version, recent));
  return recent.length - 1 - from;
}

function isFruitless(version: ReflectionVersion, versions: readonly ReflectionVersion[]): boolean {
  const base = baseOf(version, versions);
  if (!base || version.strategy === 'resample' || version.evaluation.outcome === 'inconclusive') return false;
  return version.evaluation.issues.length >= base.evaluation.issues.length && !isWorse(base, version);
}

function methodOf({ origin, askedStrategy, strategy }: ReflectionVersion): string | undefined {
  return origin === 'regeneration' ? 'full_rewrite' : (askedStrategy ?? strategy);
}

/** Attempts by the issue's identity. A revision was asked to fix all of its base's lineage; so was a generator that ran again with them. */
export function attemptsOf(versions: readonly ReflectionVersion[]): Map<string, IssueAttempts> {
  const recent = recentVersions(versions);
  const attempts = new Map<string, IssueAttempts>();
  for (const version of recent) {
    const base = baseOf(version, recent, ['revision', 'regeneration']);
    const method = methodOf(version);
    if (!base || !isMethod(method)) continue;
    const still = new Set(version.evaluation.issues.map(issueIdentity));
    for (const issue of lineageIssues(base, recent)) {
      const key = issueIdentity(issue);
      const entry = attempts.get(key) ?? { asked: none(), failed: none() };
      entry.asked[method] += 1;
      if (still.has(key)) entry.failed[method] += 1;
      attempts.set(key, entry);
    }
  }
  return attempts;
}

/** Warns of a revision that gave the same output again: its author sees nothing to repair, and a check does. */
export function unchangedWarning(
  { origin, output }: Pick<PendingOutput, 'origin' | 'output'>,
  base: ReflectionVersion | undefined,
): string[] {
  const isSame =
    origin === 'revision' &&
    base !== undefined &&
    base.omittedBytes === undefined &&
    textOf(base.output) === textOf(output);
  return isSame ? [`the revision is version ${base.iteration} unchanged: its author and its checks disagree`] : [];
}
