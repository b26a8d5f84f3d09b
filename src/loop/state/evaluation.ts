import type { Issue, Outcome, ProofOutcome } from '../contract/evaluation';
import type { Json } from '../../lib/json/json';
import type { TokenUsage } from '../../lib/contract/values';
import type { ToolCall } from '../../lib/models/types';
import { foldText } from '../../lib/text/similarity';

/**
 * The way in which a structured value was read out of an output. It is recorded instead of the value: the workflow computes
 * the value again from the output that it already holds (`readOutput`), so history does not keep a second copy.
 */
export interface OutputReading {
  /** Offsets of the JSON text in a string output, in UTF-16 units; undefined if the output is the value already. */
  text?: {
    start: number;
    end: number;
    /** It is not valid JSON, and was read all the same. */
    lenient?: true;
  };
  /** Values that were coerced, by JSON Pointer. */
  coerced?: { path: string; value: Json }[];
}

export interface Answer extends Pick<Issue, 'severity' | 'path' | 'suggestion' | 'missingInformation' | 'blocker'> {
  /** Undefined: unclear. */
  yes?: boolean;
  finding?: string;
}

export interface UnreadableReply {
  reply: string;
  problem: string;
  /** No repair call is made of it. */
  final?: true;
  /** The answers of a checklist that leaves questions out, by question: the repair call asks the others alone. */
  answers?: Record<string, Answer>;
}

export interface Verdict {
  name: string;
  type: string;
  outcome: Outcome;
  score: number | null;
  /** Share of checks passed, 0..1; ranks failed versions. */
  checksPassed?: number;
  criteriaScores?: Record<string, number>;
  /** Share of its questions that a judge answered, 0..1. */
  coverage?: number;
  issues: Issue[];
  suggestions: string[];
  confidence: number;
  /** The required calls that were found, as lines. */
  found?: string[];
  proofs?: ProofOutcome[];
  /** The evaluator itself failed, for a reason that lies in it: asked again, it would fail the same way. */
  broken?: true;
  /** True for a pass that lists a grave issue: a second judge is asked, if there is one. */
  unsure?: true;
  reason?: string;
  ms: number;
  /** Set if the evaluator read the output in a way that later steps must see. */
  reading?: OutputReading;
  /** ISO 8601, by the clock of the worker that made it: unlike the workflow's, a replay gives it again. */
  judgedAt?: string;
  /** Set if one repair call may be made of the judge's reply, unless it is `final`. */
  unreadable?: UnreadableReply;
  /** Set if the judge wants these called before it judges; it is asked again then, and the outcome says nothing. */
  toolCalls?: ToolCall[];
  said?: string;
  tokenUsage?: TokenUsage;
  /** Warnings for the evaluator's author, such as variables that a template names and nothing defines. */
  warnings?: string[];
}

/** The verdict of an evaluator without its name, type and duration, which the caller adds. */
export type Judgement = Omit<Verdict, 'name' | 'type' | 'ms'>;

/** The beginning of the `type` of an issue that results from a question which a judge answered with no. */
export const QUESTION_TYPE = 'question: ';

/** The `type` of the issue of a criterion whose proof was not found. */
export const UNPROVEN_TYPE = 'unproven';

/** The `type` of an issue that only says that a score is too low; the number in its text differs each time. */
export const SCORE_TYPE = 'score';

/** The evaluator of a note about issues that were left out. */
export const OURS = 'durable-reflection';

/**
 * Compares text (case and spacing aside) and path; answers to one question are alike however the judge put it this time, and
 * so are two scores of an evaluator that are too low. Code may call a kind of its issues `score`, too.
 */
export function issueKey(issue: Issue): string {
  if (issue.type?.startsWith(QUESTION_TYPE)) return `${issue.criterion ?? ''}\n${issue.type}`;
  const words = foldText(issue.message);
  if (issue.type === SCORE_TYPE)
    return `${issue.evaluator}\n${issue.criterion ?? ''}\n${words.replace(/\d[\d.]*/g, '')}`;
  return `${issue.path ?? ''}\n${words}`;
}

export function issueIdentity(issue: Issue): string {
  return issue.identity ?? issueKey(issue);
}

export function resolvedIssues(before: readonly Issue[], after: readonly Issue[]): string[] {
  const remaining = new Set(after.map(issueIdentity));
  return before.filter((issue) => !remaining.has(issueIdentity(issue))).map((issue) => issue.message);
}

/** Removes duplicates of the issues of one version; the first of each stays. */
export function distinctIssues(issues: readonly Issue[]): Issue[] {
  const byKey = new Map<string, Issue>();
  for (const issue of issues) if (!byKey.has(issueKey(issue))) byKey.set(issueKey(issue), issue);
  return [...byKey.values()];
}

export function withoutScore(outcome: Outcome, reason: string): Judgement {
  return { outcome, score: null, issues: [], suggestions: [], confidence: 0, reason };
}

export function inconclusiveVerdict({ name, type }: Pick<Verdict, 'name' | 'type'>, reason: string): Verdict {
  return { ...withoutScore('inconclusive', `${name} could not judge: ${reason}`), name, type, ms: 0 };
}
