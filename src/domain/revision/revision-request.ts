import type { Issue } from '../state/evaluation';
import { type Json, textOf } from '../base/json';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState } from '../state/loop-state';
import { attemptLines } from '../step-state/variables';
import type { RevisionPlan } from './revision-plan';
import type { RevisionMethod } from '../spec/spec';

/** What the built-in revision works on, when a spec has no corrector. */
export interface RevisionRequest {
  output: Json;
  issues: Issue[];
  suggestions: string[];
  /** One line for each earlier version. */
  attempts: string[];
  /** What reviewers said. */
  guidance?: string[];
  /** What was found wrong with earlier versions, and may still be wrong although nobody says so. */
  earlierIssues?: Issue[];
  /** Absent: the output as a whole. */
  strategy?: RevisionMethod;
  /** Outputs of earlier versions, oldest first, where the spec wants them shown. */
  priorVersions?: { iteration: number; output: Json }[];
  /** Present: not a new output is wanted, but a hint for whoever writes the next one. */
  advice?: true;
}

/** Characters of prior versions that a prompt shows at most; the latest come first into it. */
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

/** What the built-in revision is asked to do: what it starts from, what is wrong with it, and what was tried. */
export function revisionRequest(
  state: LoopState,
  { revision }: Pick<LoopSettings, 'revision'>,
  plan: RevisionPlan,
): RevisionRequest {
  const { base, issues, earlierIssues, strategy } = plan;
  const lines = revision.includeReflectionHistory ? attemptLines(state, base.iteration) : [];
  return {
    output: base.output,
    issues,
    suggestions: base.evaluation.suggestions,
    attempts: lines,
    ...(state.guidance ? { guidance: state.guidance } : {}),
    ...(earlierIssues.length === 0 ? {} : { earlierIssues }),
    strategy,
    ...(revision.includePriorVersions ? { priorVersions: priorVersions(state, plan) } : {}),
  };
}

/** What the built-in adviser is told of the latest version; undefined before there is one. */
export function adviceRequest(
  state: LoopState,
  { revision }: Pick<LoopSettings, 'revision'>,
): RevisionRequest | undefined {
  const last = state.versions.at(-1);
  if (!last) return undefined;
  return {
    output: last.output,
    issues: last.evaluation.issues,
    suggestions: last.evaluation.suggestions,
    attempts: revision.includeReflectionHistory ? attemptLines(state, last.iteration) : [],
    ...(state.guidance ? { guidance: state.guidance } : {}),
    advice: true,
  };
}
