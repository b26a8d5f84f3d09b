import { omitUndefined } from '../../lib/base/defined';
import type { IssueStory, IterationReport, ReflectionReport } from '../contract/report';
import { issueIdentity } from '../state/evaluation';
import type { ReflectionVersion } from '../state/loop-state';

const MAXIMUM_ROWS = 100;

type Fates = ReadonlyMap<string, IssueStory['fate']>;

/** Whether of the judgement of a version only outcome and score are left: a chain of runs passes on no more. */
function isForgotten({ evaluation }: ReflectionVersion): boolean {
  return evaluation.outcome !== 'inconclusive' && evaluation.evaluators.length === 0;
}

function baseOf(version: ReflectionVersion, byIteration: ReadonlyMap<number, ReflectionVersion>) {
  return byIteration.get(version.basedOn ?? version.iteration - 1);
}

function fatesAfter(version: ReflectionVersion, before: Fates): Fates {
  if (version.evaluation.outcome === 'inconclusive' || isForgotten(version)) return before;
  const present = new Set(version.evaluation.issues.map(issueIdentity));
  const fates = new Map(before);
  for (const key of present) {
    const fate = before.get(key);
    fates.set(key, fate === 'resolved' || fate === 'returned' ? 'returned' : 'unresolved');
  }
  for (const key of before.keys()) if (!present.has(key)) fates.set(key, 'resolved');
  return fates;
}

function fatesOnTheWay(
  versions: readonly ReflectionVersion[],
  byIteration: ReadonlyMap<number, ReflectionVersion>,
  end: ReflectionVersion | undefined,
): Fates {
  const known = new Map<number, Fates>();
  let fates: Fates = new Map();
  for (const version of versions) {
    const base = baseOf(version, byIteration);
    fates = fatesAfter(version, (base && known.get(base.iteration)) ?? fates);
    known.set(version.iteration, fates);
  }
  return (end && known.get(end.iteration)) ?? fates;
}

function storiesOf(
  versions: readonly ReflectionVersion[],
  byIteration: ReadonlyMap<number, ReflectionVersion>,
  end: ReflectionVersion | undefined,
): IssueStory[] {
  const fates = fatesOnTheWay(versions, byIteration, end);
  const stories = new Map<string, IssueStory>();
  for (const { iteration, evaluation } of versions) {
    if (evaluation.outcome === 'inconclusive') continue;
    for (const issue of evaluation.issues) {
      const key = issueIdentity(issue);
      const { message, path } = issue;
      const fate = fates.get(key) ?? 'left_behind';
      const story = stories.get(key) ?? {
        ...omitUndefined({ message, path }),
        firstSeen: iteration,
        lastSeen: 0,
        fate,
      };
      stories.set(key, { ...story, lastSeen: iteration });
    }
  }
  return [...stories.values()];
}

function rowOf(version: ReflectionVersion, base: ReflectionVersion | undefined): IterationReport {
  const before = base?.evaluation.overallScore ?? null;
  const score = version.evaluation.overallScore;
  const known = new Set(base?.evaluation.issues.map(issueIdentity));
  return {
    iteration: version.iteration,
    ...(version.basedOn === undefined ? {} : { basedOn: version.basedOn }),
    scoreChange: before === null || score === null ? null : score - before,
    issuesResolved: version.improvementsApplied.length,
    issuesNew: version.evaluation.issues.filter((issue) => !known.has(issueIdentity(issue))).length,
    totalTokens: version.tokenUsage.totalTokens,
  };
}

/** @param end the version that is returned; by default the latest */
export function reportOf(versions: readonly ReflectionVersion[], end?: ReflectionVersion): ReflectionReport {
  const byIteration = new Map(versions.map((version) => [version.iteration, version]));
  const stories = storiesOf(versions, byIteration, end);
  return {
    issues: stories.slice(0, MAXIMUM_ROWS),
    issuesOmitted: Math.max(0, stories.length - MAXIMUM_ROWS),
    iterations: versions
      .slice(-MAXIMUM_ROWS)
      .map((version) => ({ version, base: baseOf(version, byIteration) }))
      .filter(({ version, base }) => !isForgotten(version) && !(base && isForgotten(base)))
      .map(({ version, base }) => rowOf(version, base)),
  };
}
