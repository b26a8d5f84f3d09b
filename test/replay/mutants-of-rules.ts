import type { Mutant } from './mutant';

/** Mistakes in what runs decide by the rules 2 and later. */
export const mutantsOfRules: readonly Mutant[] = [
  {
    file: 'workflows/shared/versioning.ts',
    find: 'Math.min(state.rules ?? number, number)',
    replace: 'Math.min(state.rules ?? 1, number)',
    why: 'a run that carries the mark decides by the old rules',
    seenIn: 'result',
    caughtBy: 'ruled-guided-version',
  },
  {
    file: 'workflows/loop/reflection-loop.ts',
    find: 'keepRules(state, carried !== undefined)',
    replace: '(carried ? state : keepRules(state, false))',
    why: 'later runs of a chain carry no mark',
    caughtBy: 'ruled-chain-2',
  },
  {
    file: 'loop/versions/selection.ts',
    find: 'if (byChecks !== 0) return byChecks;',
    replace: 'if (byChecks !== 0 && !knowsChecks) return byChecks;',
    why: 'a version that failed a gate is better than one that nobody could judge',
    seenIn: 'result',
    caughtBy: 'ruled-gate-first',
  },
  {
    file: 'loop/versions/selection.ts',
    find: 'b.issueWeight - a.issueWeight',
    replace: '0',
    why: 'fewer faults without a score are no progress',
    caughtBy: 'ruled-fewer-faults',
  },
  {
    file: 'loop/state/review-wait.ts',
    find: '(state.steeredAfter ?? 0) >= best.iteration',
    replace: 'state.versions.length < 0',
    why: 'what came of a guide is not under review',
    seenIn: 'result',
    caughtBy: 'ruled-silence',
  },
  {
    file: 'loop/revision/revision-plan.ts',
    find: 'textOf(base.output).length < SHORT_TEXT',
    replace: 'textOf(base.output).length < 0',
    why: 'short texts are edited by the rules 3, too',
    seenIn: 'result',
    caughtBy: 'ruled-short-text',
  },
  {
    file: 'loop/versions/unasked-changes.ts',
    find: 'textOf(base.output) === textOf(output)',
    replace: 'textOf(base.output) !== textOf(output)',
    why: 'a revision that changed something is called unchanged',
    seenIn: 'result',
    caughtBy: 'ruled-short-text',
  },
  {
    file: 'loop/commands/commands.ts',
    find: 'best === true ? undefined : state.review?.version',
    replace: 'best === true ? undefined : undefined',
    why: 'accept takes the best version, whichever is under review',
    seenIn: 'result',
    caughtBy: 'ruled-guided-version',
  },
  {
    file: 'loop/commands/commands.ts',
    find: '  if (!decided || (decided.by',
    replace: '  if (decided || !decided || (decided!.by',
    why: 'a second reviewer takes back what the first decided',
    caughtBy: 'ruled-two-reviewers',
  },
];
