import { issueKey } from './issues';
import type { ReflectionVersion } from './version';

/** What became of one issue. Iterations are those whose evaluation named it. */
export interface IssueStory {
  message: string;
  path?: string;
  firstSeen: number;
  lastSeen: number;
  fate: 'resolved' | 'returned' | 'unresolved';
}

/** What the run bought: computed from its versions, without a model. */
export interface ReflectionReport {
  issues: IssueStory[];
  /** Issues left out of the list because there are too many. */
  issuesOmitted: number;
  iterations: { iteration: number; scoreChange: number | null; issuesResolved: number; totalTokens: number }[];
}

/** Rows of a report at most, so that a long run's result stays small. */
const MAXIMUM_ROWS = 100;

function storiesOf(versions: readonly ReflectionVersion[]): IssueStory[] {
  const stories = new Map<string, IssueStory>();
  for (const version of versions) {
    if (version.evaluation.outcome === 'inconclusive') continue;
    for (const issue of version.evaluation.issues) {
      const story = stories.get(issueKey(issue));
      if (story) {
        if (story.fate === 'resolved') story.fate = 'returned';
        story.lastSeen = version.iteration;
      } else {
        stories.set(issueKey(issue), {
          message: issue.message,
          ...(issue.path === undefined ? {} : { path: issue.path }),
          firstSeen: version.iteration,
          lastSeen: version.iteration,
          fate: 'unresolved',
        });
      }
    }
    for (const story of stories.values()) if (story.lastSeen < version.iteration) story.fate = 'resolved';
  }
  return [...stories.values()];
}

/** The report of a run's versions. */
export function reportOf(versions: readonly ReflectionVersion[]): ReflectionReport {
  const stories = storiesOf(versions);
  return {
    issues: stories.slice(0, MAXIMUM_ROWS),
    issuesOmitted: Math.max(0, stories.length - MAXIMUM_ROWS),
    iterations: versions.slice(-MAXIMUM_ROWS).map((version) => {
      const position = versions.indexOf(version);
      const before = versions[position - 1]?.evaluation.overallScore;
      const score = version.evaluation.overallScore;
      return {
        iteration: version.iteration,
        scoreChange: before === null || before === undefined || score === null ? null : score - before,
        issuesResolved: version.improvementsApplied.length,
        totalTokens: version.tokenUsage.totalTokens,
      };
    }),
  };
}
