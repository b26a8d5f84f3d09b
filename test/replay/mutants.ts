import type { Mutant } from './mutant';
import { mutantsOfOtherRuns } from './mutants-of-other-runs';

/** Each must be caught by a recorded history. One that is caught by none is a path that nobody recorded. */
export const mutants: readonly Mutant[] = [
  {
    file: 'domain/next-move.ts',
    find: 'last.iteration >= iterationLimit(settings, state)',
    replace: 'last.iteration > iterationLimit(settings, state)',
    why: 'the circuit breaker lets one more version through',
  },
  {
    file: 'domain/next-move.ts',
    find: 'EVALUATION_ROUNDS = 2',
    replace: 'EVALUATION_ROUNDS = 1',
    why: 'a judge that could not judge is not asked again',
  },
  {
    file: 'domain/next-move.ts',
    find: '(state.versions.length > 0 || state.pending)',
    replace: 'state.versions.length > 0',
    why: 'an accept that waited for the draft waits for its evaluation, too',
  },
  {
    file: 'domain/commands.ts',
    find: "return typeof id === 'string' && state.seenCommandIds.includes(id);",
    replace: 'return false && Boolean(id) && state !== undefined;',
    why: 'a command that came twice is carried out at the second time',
  },
  {
    file: 'domain/carried-state.ts',
    find: 'ITERATIONS_PER_RUN = 50',
    replace: 'ITERATIONS_PER_RUN = 40',
    why: 'a run is handed over earlier',
  },
  {
    file: 'workflows/evaluation.ts',
    find: 'if (gateFailed(pending, plans)) return;\n  const others',
    replace: 'const others',
    why: 'judges are asked although a gate failed',
  },
  {
    file: 'domain/triggers.ts',
    find: 'steps % (reflectionInterval ?? Infinity) === 0',
    replace: 'steps < 0 && reflectionInterval === 0',
    why: 'work that is not done yet is not evaluated after an interval',
  },
  {
    file: 'domain/second-judge.ts',
    find: 'NEAR = 0.1',
    replace: 'NEAR = 0.01',
    why: 'a second judge is not asked about a pass by little',
  },
  {
    file: 'workflows/generation.ts',
    find: 'if (!tools.includes(call.name)) return',
    replace: 'if (tools.length === 0) return',
    why: 'a tool that was not offered is run',
  },
  {
    file: 'domain/evaluator-parts.ts',
    find: "const places: CandidatePlace[] = ['first', 'second'];",
    replace: "const places: CandidatePlace[] = ['first'];",
    why: 'a comparison is asked in one order only',
  },
  {
    file: 'domain/panel.ts',
    find: 'if (judged.length < enough || (judged.length === enough && !halfDecides))',
    replace: 'if (judged.length === 0)',
    why: 'a single vote of three decides, and the others are not asked again',
  },
  {
    file: 'domain/asks.ts',
    find: 'if (!rules.halfDecides) return;',
    replace: 'if (plans.length > 0) return;',
    why: 'half of a panel does not decide',
  },
  {
    file: 'domain/asks.ts',
    find: '{ halfDecides: _later, ...rules }: FoldingRules',
    replace: 'rules: FoldingRules',
    why: 'half of a panel decides before the others were asked again',
  },
  {
    file: 'domain/asks.ts',
    find: 'parts.length > 1 || plan.parts !== undefined',
    replace: 'parts.length > 1',
    why: 'a single criterion that is a check is not told by its name',
    seenIn: 'result',
  },
  {
    file: 'workflows/activity-calls.ts',
    find: 'const { evaluate } = proxyLocalActivities',
    replace: 'const { evaluate } = proxyActivities',
    why: 'deterministic checks become ordinary activities',
  },
  {
    file: 'workflows/loop.ts',
    find: 'if (state.versions.length === 0) throw failedDraft(failure, step, iteration);',
    replace: 'throw failedDraft(failure, step, iteration);',
    why: 'a failure after the draft fails the run',
  },
  {
    file: 'workflows/reflection-loop.ts',
    find: 'if (endsCall(move)) run.interrupt?.();',
    replace: 'if (!endsCall(move)) run.onChange();',
    why: 'a person who ends a run does not cancel the call in flight',
  },
  {
    file: 'workflows/unknown-messages.ts',
    find: 'setDefaultSignalHandler((name, payload) => note(name, payload, why(name)));',
    replace: 'setDefaultSignalHandler(() => undefined);',
    why: 'a signal of a name that is no command is noted nowhere',
    seenIn: 'result',
  },
  {
    file: 'workflows/reflection-loop.ts',
    find: 'const preparation = carried?.preparation ?? (await prepare(spec));',
    replace: 'const preparation = await prepare(spec);',
    why: 'every run of a chain prepares the spec again',
  },
  {
    file: 'workflows/reflection-loop.ts',
    find: 'if (!preparation.searchAttributes || news === shown) return;',
    replace: 'if (news === shown) return;',
    why: 'search attributes are written where the namespace has none',
  },
  {
    file: 'domain/carried-state.ts',
    find: 'carriedThrough: last?.iteration ?? 0,',
    replace: 'carriedThrough: 0,',
    why: 'the next run of a chain does not know where it begins',
    seenIn: 'result',
  },
  {
    file: 'domain/result.ts',
    find: "if (reason === 'aborted') return bestSoFar(state);",
    replace: "if (reason === 'aborted') return last;",
    why: 'abort hands back the latest version and not the best',
    seenIn: 'result',
  },
  {
    file: 'workflows/standalone.ts',
    find: 'if (builtIn && issues.length === 0) return',
    replace: 'if (builtIn && issues.length < 0) return',
    why: 'a correction of what has no errors is paid for',
  },
  {
    file: 'workflows/reflection-evaluate.ts',
    find: "callPrepareStandalone('evaluation', request)",
    replace: "callPrepareStandalone('correction', request)",
    why: 'an evaluation is checked as a correction',
  },
  {
    file: 'domain/review.ts',
    find: 'now < review.until)',
    replace: 'now < review.until + 1e9)',
    why: 'a review that nobody answers never ends',
  },
  {
    file: 'domain/commands.ts',
    find: '  if (!state.review) return;\n',
    replace: '  if (state.review || !state.review) return;\n',
    why: 'a guide does not let a waiting loop go on',
  },
  {
    file: 'domain/limits.ts',
    find: 'Math.min(settings.mostIterations ?? MOST_ITERATIONS, settings.maxIterations + added)',
    replace: 'settings.maxIterations',
    why: 'extend raises no limit',
  },
  {
    file: 'domain/next-move.ts',
    find: "move.kind === 'override' || move.kind === 'judge_again'",
    replace: "move.kind === 'judge_again'",
    why: 'an override waits for the call in flight',
  },
  {
    file: 'workflows/versioning.ts',
    find: 'return isVersioned() && !follows();',
    replace: 'return isVersioned() && follows();',
    why: 'a loop that waits for a person stays with its build',
  },
  {
    file: 'domain/transitions.ts',
    find: "takeOutput(state, { output, warnings: [] }, 'override');\n}",
    replace: "takeOutput(state, { output, warnings: [] }, 'revision');\n}",
    why: "a person's version is taken for a revision",
    seenIn: 'result',
  },
  {
    file: 'domain/hooks.ts',
    find: "if (decision !== 'auto') state.ruling",
    replace: "if (decision === 'continue') state.ruling",
    why: 'a hook cannot stop a loop',
  },
  {
    file: 'domain/hooks.ts',
    find: "if (decision !== 'auto') state.ruling",
    replace: "if (decision === 'stop') state.ruling",
    why: 'a hook cannot have a loop go on',
  },
  {
    file: 'workflows/hooks.ts',
    find: "byFunction === 'auto' ? bySpec : byFunction",
    replace: 'bySpec',
    why: "what the caller's function says is not heard",
  },
  {
    file: 'workflows/hooks.ts',
    find: "byFunction === 'auto' ? bySpec : byFunction",
    replace: 'byFunction',
    why: "what a spec's hook says is not heard",
  },
  {
    file: 'workflows/hooks.ts',
    find: 'return spec.hooks !== undefined || hooks !== undefined;',
    replace: 'return spec.hooks !== undefined && hooks !== hooks;',
    why: 'no hook is called',
  },
  {
    file: 'workflows/reflect.ts',
    find: 'if (mustRaise(settings, state, result)) throw',
    replace: 'if (!state) throw',
    why: 'a loop inside a workflow does not raise',
  },
  {
    file: 'workflows/reflect.ts',
    find: 'serveMessages: () => setHandlers(desk)',
    replace: 'serveMessages: () => undefined',
    why: 'a workflow does not hear the messages for its loop',
  },
  ...mutantsOfOtherRuns,
];

/** The seventh mutation as it should be made: runs that began before it go on as they were. */
export const guarded: Mutant = {
  file: 'workflows/activity-calls.ts',
  find: 'const { evaluate } = proxyLocalActivities',
  replace:
    "const { evaluate } = (require('@temporalio/workflow').patched('checks') ? proxyActivities : proxyLocalActivities)",
  why: 'deterministic checks become ordinary activities, behind patched()',
};
