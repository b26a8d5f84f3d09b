import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json, type JsonObject, pick, textOf } from '../../lib/json/json';
import { wellCut } from '../../lib/names/protocol-text';
import { bestSoFar, guidedVersion, type LoopState, type ReflectionVersion } from '../state/loop-state';
import { issueIdentity } from '../state/evaluation';
import { shownEvidence } from '../versions/evidence';
import { errorsOf, historyEntry } from '../versions/result';

export interface StateNeeds {
  keys: readonly string[] | 'all';
  /** `full`: earlier outputs too; `digest`: scores and messages; `none`: nothing of the history. */
  history: 'full' | 'digest' | 'none';
  /** Names of `reflection_*` variables, or all of them but the evidence. */
  variables: readonly string[] | 'all';
  /** The evidence is read: it is long, so a step gets it only if it names it. */
  evidence: boolean;
}

const DIGEST_ENTRIES = 10;
const DIGEST_MESSAGES = 5;
const DIGEST_MESSAGE_LENGTH = 200;
const DIGEST_ERRORS_AGAIN = 2;

const FULL_HISTORY_CHARACTERS = 256 * 1024;

function shortMessage({ message }: { message: string }): string {
  return wellCut(message.slice(0, DIGEST_MESSAGE_LENGTH));
}

function digestOf({ iteration, evaluation }: ReflectionVersion): JsonObject {
  const { overallScore, satisfactory, outcome, issues, reason = '' } = evaluation;
  const errors = errorsOf(evaluation)
    .slice(0, DIGEST_MESSAGES)
    .map((error) => ({ ...error, message: shortMessage(error) }));
  const told = { score: overallScore, valid: satisfactory, outcome, errors };
  // The same in the form of a whole entry, with no more than a digest has space for.
  const inShort = {
    ...told,
    errors: errors.slice(0, DIGEST_ERRORS_AGAIN),
    reason: reason.slice(0, DIGEST_MESSAGE_LENGTH),
  };
  return { iteration, ...told, errorCount: issues.length, evaluation: inShort };
}

function digest(versions: readonly ReflectionVersion[]): Json {
  return versions.slice(-DIGEST_ENTRIES).map(digestOf);
}

function fullHistory(versions: readonly ReflectionVersion[]): Json {
  let left = FULL_HISTORY_CHARACTERS;
  const entries: Json[] = [];
  for (const version of [...versions].reverse()) {
    left -= textOf(version.output).length;
    // Wire types are JSON by construction; TypeScript cannot see that an interface has no other members.
    const entry = left >= 0 ? historyEntry(version) : digestOf(version);
    entries.unshift(entry as unknown as Json);
  }
  return entries;
}

function toldErrors({ evaluation, cutOff }: ReflectionVersion): Json {
  const errors = errorsOf(evaluation) as unknown as Json[];
  return cutOff ? [...errors, CUT_OFF] : errors;
}

const CUT_OFF = {
  message: 'The output was cut off at its token limit: its end is missing',
  type: 'cut_off',
  suggestion: 'Write so little that all of it fits.',
};

function variablesOf(
  state: LoopState,
  { history, evidence }: Pick<StateNeeds, 'history' | 'evidence'>,
  iteration: number,
): JsonObject {
  const last = guidedVersion(state) ?? state.versions.at(-1);
  const best = bestSoFar(state);
  return omitUndefined({
    reflection_iteration: iteration,
    reflection_errors: last ? toldErrors(last) : [],
    reflection_best_score: best?.evaluation.overallScore ?? null,
    reflection_output: state.pending?.output ?? last?.output,
    reflection_hint: state.hint?.text,
    reflection_insights: state.recalled?.length === 0 ? undefined : state.recalled,
    // A draft is not a revision: guidance from before it is for the version after it.
    reflection_guidance: last && state.guidance?.join('\n\n'),
    reflection_history: { full: fullHistory, digest, none: () => undefined }[history](state.versions),
    reflection_best: history === 'full' ? best?.output : undefined,
    reflection_evidence: evidence ? (shownEvidence(state).calls ?? []) : undefined,
  }) as JsonObject;
}

/** The keys of a hint that is an object: they are state for the step that runs again. Keys of the loop are its own. */
export function hintKeys({ hint }: Pick<LoopState, 'hint'>): JsonObject {
  if (!hint || !isJsonObject(hint.text)) return {};
  return Object.fromEntries(Object.entries(hint.text).filter(([key]) => !key.startsWith('reflection_')));
}

const ALWAYS = ['reflection_iteration', 'reflection_hint', 'reflection_guidance', 'reflection_insights'];

export const EVIDENCE_VARIABLE = 'reflection_evidence';

export function stepState(userState: JsonObject, state: LoopState, needs: StateNeeds, iteration: number): JsonObject {
  const variables = variablesOf(state, needs, iteration);
  const names = needs.variables === 'all' ? 'all' : [...ALWAYS, EVIDENCE_VARIABLE, ...needs.variables];
  return { ...pick(userState, needs.keys), ...pick(variables, names) };
}

/** Renders lines for the built-in revision: the issues of other versions that the one it starts from does not have. */
export function otherIssueLines({ versions }: LoopState, without: number): string[] {
  const base = versions.find(({ iteration }) => iteration === without);
  const known = new Set((base?.evaluation.issues ?? []).map(issueIdentity));
  return versions.slice(-DIGEST_ENTRIES).flatMap(({ iteration, evaluation }) => {
    const others = evaluation.issues.filter((issue) => !known.has(issueIdentity(issue)));
    if (iteration === without || others.length === 0) return [];
    return [`version ${iteration}: ${others.slice(0, DIGEST_MESSAGES).map(shortMessage).join('; ')}`];
  });
}
