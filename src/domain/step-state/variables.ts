import { type Json, type JsonObject, textOf } from '../base/json';
import { bestSoFar, type LoopState, type ReflectionVersion } from '../state/loop-state';
import { attemptOf, errorsOf } from '../versions/result';

/** What a step reads, so that nothing else travels to it. */
export interface StateNeeds {
  /** Keys of the spec's state. */
  keys: readonly string[] | 'all';
  /** `full`: earlier outputs too; `digest`: scores and messages; `none`: nothing of the history. */
  history: 'full' | 'digest' | 'none';
  /** Names of `reflection_*` variables, or all of them. */
  variables: readonly string[] | 'all';
}

/** Entries of a digest at most: the latest tell a corrector what was tried. */
const DIGEST_ENTRIES = 10;
const DIGEST_MESSAGES = 5;
const DIGEST_MESSAGE_LENGTH = 200;

/** Characters of earlier outputs at most, so that inputs do not grow with the square of the iterations. */
const FULL_HISTORY_CHARACTERS = 256 * 1024;

function digestOf(version: ReflectionVersion): JsonObject {
  const { evaluation } = version;
  return {
    iteration: version.iteration,
    score: evaluation.overallScore,
    valid: evaluation.satisfactory,
    outcome: evaluation.outcome,
    errors: errorsOf(evaluation)
      .slice(0, DIGEST_MESSAGES)
      .map((error) => ({ ...error, message: error.message.slice(0, DIGEST_MESSAGE_LENGTH) })),
    errorCount: evaluation.issues.length,
  };
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
    const entry = left >= 0 ? { ...attemptOf(version), evaluation: version.evaluation } : digestOf(version);
    entries.unshift(entry as unknown as Json);
  }
  return entries;
}

function variablesOf(state: LoopState, history: StateNeeds['history'], iteration: number): JsonObject {
  const last = state.versions.at(-1);
  const best = bestSoFar(state);
  const current = state.pending?.output ?? last?.output;
  return {
    reflection_iteration: iteration,
    reflection_errors: last ? (errorsOf(last.evaluation) as unknown as Json) : [],
    reflection_best_score: best?.evaluation.overallScore ?? null,
    ...(current === undefined ? {} : { reflection_output: current }),
    ...(state.hint === undefined ? {} : { reflection_hint: state.hint.text }),
    ...(state.recalled && state.recalled.length > 0 ? { reflection_insights: state.recalled } : {}),
    // A draft is no revision: what was said before it is for the version after it.
    ...(last && state.guidance ? { reflection_guidance: state.guidance.join('\n\n') } : {}),
    ...(history === 'none'
      ? {}
      : { reflection_history: history === 'full' ? fullHistory(state.versions) : digest(state.versions) }),
    ...(history === 'full' && best ? { reflection_best: best.output } : {}),
  };
}

/** A hint, what a reviewer said, and what was learned before are the point of running a step again, whether its text names them or not. */
const ALWAYS = ['reflection_iteration', 'reflection_hint', 'reflection_guidance', 'reflection_insights'];

/** The state that travels to a step that works on an iteration: what it needs of the spec's state and of the loop. */
export function stepState(userState: JsonObject, state: LoopState, needs: StateNeeds, iteration: number): JsonObject {
  const own =
    needs.keys === 'all'
      ? userState
      : Object.fromEntries(
          needs.keys.flatMap((key) => (Object.hasOwn(userState, key) ? [[key, userState[key]!]] : [])),
        );
  const variables = variablesOf(state, needs.history, iteration);
  const wanted =
    needs.variables === 'all'
      ? variables
      : Object.fromEntries(
          Object.entries(variables).filter(([name]) => ALWAYS.includes(name) || needs.variables.includes(name)),
        );
  return { ...own, ...wanted };
}

/** Lines that tell the built-in revision what was tried beside the version that it starts from, and what became of it. */
export function attemptLines(state: LoopState, without: number): string[] {
  return state.versions.slice(-DIGEST_ENTRIES).flatMap((version) => {
    if (version.iteration === without) return [];
    const { evaluation } = version;
    const messages = evaluation.issues
      .slice(0, DIGEST_MESSAGES)
      .map((issue) => issue.message.slice(0, DIGEST_MESSAGE_LENGTH));
    const score = evaluation.overallScore === null ? 'no score' : `score ${evaluation.overallScore.toFixed(2)}`;
    const how = version.strategy === undefined ? '' : ` (${version.strategy})`;
    const found = messages.length > 0 ? `; ${messages.join('; ')}` : '';
    return [`#${version.iteration}${how}: ${evaluation.outcome}, ${score}${found}`];
  });
}
