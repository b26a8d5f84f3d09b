import { evaluatorTraits } from '../spec/evaluator-traits';
import { omitUndefined } from '../../lib/base/defined';
import { type Json, textOf } from '../../lib/json/json';
import { otherIssueLines } from '../step-state/variables';
import { type IssueAttempts, attemptsOf, fruitlessRepairs, lineageIssues, recentVersions } from '../versions/attempts';
import type { KeptCalls } from '../contract/calls';
import { boundCalls, keptCalls, SHOWN_CALLS_BYTES } from '../evidence/bounded-calls';
import { isEvidence } from '../evidence/evidence-text';
import { evidenceOf } from '../versions/evidence';
import { issueIdentity } from '../state/evaluation';
import type { Issue } from '../contract/evaluation';
import { REPAIR_METHODS } from '../base/choices';
import { soleJsonIn } from '../evaluation/output-reading';
import type { RevisionMethod, RevisionStrategy } from '../contract/loop-options';
import type { EvaluatorPlan, LoopSettings } from '../state/loop-settings';
import { guidedVersion, type LoopState, type ReflectionVersion } from '../state/loop-state';
import { SEVERITY_WEIGHTS } from '../versions/ranking';
import type { ModelReply } from '../state/model-reply';
import { isWorse, selectBest, wholeVersions } from '../versions/selection';

export interface RevisionPlan {
  base: ReflectionVersion;
  /** True if the latest version was worse and is discarded. */
  reverted: boolean;
  issues: Issue[];
  /** Issues of the versions that the base was made from and that were not reported for the base itself. */
  earlierIssues: Issue[];
  strategy: RevisionMethod;
}

const MAXIMUM_EARLIER_ISSUES = 20;

/** A person may have reviewed an earlier version; otherwise it is the latest, or the best if the latest is worse. */
function revisionBase(state: LoopState): ReflectionVersion | undefined {
  const guided = guidedVersion(state);
  if (guided) return guided;
  const last = state.versions.at(-1);
  const best = selectBest(wholeVersions(state.versions), 'highest_score');
  // An output that a chain of runs did not pass on cannot be revised; the best one is always passed on.
  return best && last && isWorse(last, best) ? best : last;
}

export function planRevision({ revision }: Pick<LoopSettings, 'revision'>, state: LoopState): RevisionPlan | undefined {
  const base = revisionBase(state);
  if (!base) return undefined;
  const recent = recentVersions(state.versions);
  const issues = base.evaluation.issues;
  const known = new Set(base.evaluation.issues.map(issueIdentity));
  const lineage = lineageIssues(base, recent);
  const earlierIssues = lineage.filter((issue) => !known.has(issueIdentity(issue))).slice(0, MAXIMUM_EARLIER_ISSUES);
  const isShort = textOf(base.output).length < SHORT_TEXT;
  return {
    base,
    reverted: base !== state.versions.at(-1),
    issues,
    earlierIssues,
    // The same revision again, for the output as a whole.
    strategy: chooseStrategy(state.unappliedEdit ? 'full_rewrite' : revision.strategy, {
      issues: [...issues, ...earlierIssues],
      attempts: attemptsOf(state.versions),
      editsFailed: state.editsFailed,
      isShort,
      repairsFailed: fruitlessRepairs(recent) >= (isShort ? 1 : repairsOf(base.output)),
    }),
  };
}

function repairsOf(output: Json): number {
  const text = textOf(output);
  const isShortData =
    text.length <= SHORT_DATA_CHARACTERS && (typeof output !== 'string' || soleJsonIn(output) !== undefined);
  return isShortData ? 1 : 2;
}

const SHORT_DATA_CHARACTERS = 2_000;

const SHORT_TEXT = 1_000;

interface StrategyChoice {
  issues: readonly Issue[];
  attempts: ReadonlyMap<string, IssueAttempts>;
  /** Edits were requested in this run, and could not be applied: this model does not keep to their form. */
  editsFailed?: boolean | undefined;
  repairsFailed?: boolean;
  /** The output is so short that it is written again as a whole. */
  isShort?: boolean;
}

const MANY_ISSUES = 6;

/** Whether an issue has no single place: the output is not as it should be as a whole. */
function concernsTheWhole(issue: Issue): boolean {
  return issue.path === '' && issue.severity !== 'minor' && issue.type === 'json';
}

/** Numbers of issues that fail to go away. Edits leave the rest as it is; a rewrite puts all of it at risk. */
function priorCosts({ issues, isShort }: StrategyChoice): Record<RepairMethod, number> {
  if (isShort) return { full_rewrite: 0, incremental: 0.5, targeted_edit: 2 };
  if (issues.length === 0 || issues.some(concernsTheWhole)) {
    return { full_rewrite: 0, incremental: 1, targeted_edit: 2 };
  }
  const many = issues.length > MANY_ISSUES;
  const spread = new Set(issues.map(({ path }) => path ?? '')).size > MANY_ISSUES;
  return { targeted_edit: many ? 0.5 : 0, incremental: many ? 0 : 0.25, full_rewrite: many && spread ? 0.5 : 1 };
}

type RepairMethod = (typeof REPAIR_METHODS)[number];

/** A way that failed on an issue is half as likely to fix it at each further attempt. */
function expectedFailures(method: RepairMethod, { issues, attempts }: StrategyChoice): number {
  return issues.reduce((sum, issue) => {
    const failed = attempts.get(issueIdentity(issue))?.failed[method] ?? 0;
    return sum + SEVERITY_WEIGHTS[issue.severity ?? 'minor'] * (1 - 0.5 ** failed);
  }, 0);
}

/**
 * `hybrid` takes the way of the least expected cost: by number and spread of the issues, then, after a failure, another
 * one, at last a new draft. A model that failed to write edits that apply gets no request for edits again.
 */
export function chooseStrategy(wanted: RevisionStrategy, choice: StrategyChoice): RevisionMethod {
  const { editsFailed = false, repairsFailed = false } = choice;
  if (wanted !== 'hybrid') return wanted === 'targeted_edit' && editsFailed ? 'incremental' : wanted;
  if (repairsFailed) return 'resample';
  const prior = priorCosts(choice);
  const cost = (method: RepairMethod): number => prior[method] + expectedFailures(method, choice);
  const methods = REPAIR_METHODS.filter((method) => method !== 'targeted_edit' || !(editsFailed || choice.isShort));
  return methods.reduce((best, method) => (cost(method) < cost(best) - 1e-9 ? method : best));
}

export interface RevisionRequest {
  output: Json;
  issues: Issue[];
  suggestions: string[];
  /** One line for each earlier version. */
  attempts: string[];
  guidance?: string[];
  /** Issues of earlier versions that may still be there although no evaluator reports them now. */
  earlierIssues?: Issue[];
  /** The way of revising; left out for the output as a whole. */
  strategy?: RevisionMethod;
  /** The text that was cut off at its token limit: the output, or the edits of it that were requested before. */
  cutOff?: 'output' | 'edits';
  /** Outputs of earlier versions, oldest first, where the spec wants them shown. */
  priorVersions?: { iteration: number; output: Json }[];
  /** Set if the model is to write a hint for the next generation instead of a new output. */
  advice?: true;
  /** The reply that the output was made of, if the model that is asked now wrote it. */
  reply?: ModelReply;
  /** The calls that were made for the output, beside those in the turns of `reply`. */
  evidence?: KeptCalls;
  /** Names of the evaluators without a model, whose words are those of the spec's author and of code. */
  checks?: string[];
}

const PRIOR_CHARACTERS = 64 * 1024;

function priorVersions(state: LoopState, plan: RevisionPlan): { iteration: number; output: Json }[] {
  let left = PRIOR_CHARACTERS;
  const shown: { iteration: number; output: Json }[] = [];
  for (const { iteration, output, omittedBytes } of [...state.versions].reverse()) {
    if (iteration === plan.base.iteration || omittedBytes !== undefined) continue;
    left -= textOf(output).length;
    if (left < 0) break;
    shown.unshift({ iteration, output });
  }
  return shown;
}

/** The calls that were made for a version, beside those in the turns that its reviser goes on from. */
function evidenceFor(
  state: LoopState,
  version: ReflectionVersion,
  reply: ModelReply | undefined,
): KeptCalls | undefined {
  // A conversation that goes on has them all.
  if (reply && state.replies?.[version.iteration]?.isConversation) return undefined;
  const { calls: _own, ...rest } = version;
  const isTold = reply?.turns?.some(({ role }) => role === 'tool') === true;
  const shown = keptCalls(boundCalls(evidenceOf(state, isTold ? rest : version, version.iteration), SHOWN_CALLS_BYTES));
  return isEvidence(shown) ? shown : undefined;
}

function requestFor(
  state: LoopState,
  { revision }: Pick<LoopSettings, 'revision'>,
  version: ReflectionVersion,
  reply?: ModelReply,
): RevisionRequest {
  const { iteration, output, evaluation } = version;
  const { suggestions } = evaluation;
  const { issues } = evaluation;
  const attempts = revision.includeReflectionHistory ? otherIssueLines(state, iteration) : [];
  const edits = state.unappliedEdit?.cutOff ? ('edits' as const) : undefined;
  const cutOff = version.cutOff ? ('output' as const) : edits;
  const evidence = evidenceFor(state, version, reply);
  return omitUndefined({ output, issues, suggestions, attempts, guidance: state.guidance, cutOff, evidence });
}

/** Whether an evaluator is a check of this worker: no model, no service and no workflow of others finds its issues. */
function isCheck({ type, local, asksModel }: EvaluatorPlan): boolean {
  return local || (asksModel === false && !evaluatorTraits(type).isOfOthers);
}

/** The length of an output, in characters, up to which its turns with tools still fit into the input of a revision beside it. */
const MOST_WITH_REPLY = 512 * 1024;

function replyOf(
  { replies }: LoopState,
  { iteration, output }: ReflectionVersion,
  model: string | undefined,
): ModelReply | undefined {
  const { model: by, isConversation: _isConversation, ...reply } = replies?.[iteration] ?? { model: null };
  return by === model && textOf(output).length <= MOST_WITH_REPLY ? reply : undefined;
}

/** `model`: name of the model that is asked; undefined for the worker's default. */
export function revisionRequest(
  state: LoopState,
  settings: Pick<LoopSettings, 'revision'>,
  plan: RevisionPlan,
  model?: string,
  plans: readonly EvaluatorPlan[] = [],
): RevisionRequest {
  const { base, earlierIssues, strategy } = plan;
  const checks = plans.filter(isCheck).map(({ name }) => name);
  const reply = replyOf(state, base, model);
  return omitUndefined({
    checks: checks.length === 0 ? undefined : checks,
    reply,
    ...requestFor(state, settings, base, reply),
    earlierIssues: earlierIssues.length === 0 ? undefined : earlierIssues,
    strategy,
    priorVersions: settings.revision.includePriorVersions ? priorVersions(state, plan) : undefined,
  });
}

export function adviceRequest(state: LoopState, settings: Pick<LoopSettings, 'revision'>): RevisionRequest | undefined {
  const last = state.versions.at(-1);
  return last && { ...requestFor(state, settings, last), advice: true };
}
