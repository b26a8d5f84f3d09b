import { defined } from '../base/defined';
import type { Issue } from '../state/evaluation';
import { type Json, textOf } from '../base/json';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState, ReflectionVersion } from '../state/loop-state';
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

/** What is told of the version that is worked on. */
function requestFor(
  state: LoopState,
  { revision }: Pick<LoopSettings, 'revision'>,
  { iteration, output, evaluation }: ReflectionVersion,
): RevisionRequest {
  const { issues, suggestions } = evaluation;
  const attempts = revision.includeReflectionHistory ? attemptLines(state, iteration) : [];
  return defined({ output, issues, suggestions, attempts, guidance: state.guidance });
}

/** What the built-in revision is asked to do: what it starts from, what is wrong with it, and what was tried. */
export function revisionRequest(
  state: LoopState,
  settings: Pick<LoopSettings, 'revision'>,
  plan: RevisionPlan,
): RevisionRequest {
  const { base, earlierIssues, strategy } = plan;
  return defined({
    ...requestFor(state, settings, base),
    earlierIssues: earlierIssues.length === 0 ? undefined : earlierIssues,
    strategy,
    priorVersions: settings.revision.includePriorVersions ? priorVersions(state, plan) : undefined,
  });
}

/** What the built-in adviser is told of the latest version; undefined before there is one. */
export function adviceRequest(state: LoopState, settings: Pick<LoopSettings, 'revision'>): RevisionRequest | undefined {
  const last = state.versions.at(-1);
  return last && { ...requestFor(state, settings, last), advice: true };
}
