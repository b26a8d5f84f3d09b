import type { Mutant } from './mutant';

/** Mistakes in the notifications of waits. */
export const mutantsOfWaits: readonly Mutant[] = [
  {
    file: 'workflows/loop/waits.ts',
    find: 'if (half > now()) {',
    replace: 'if (half > now() && half < 0) {',
    why: 'the reminder of a wait comes at once',
    caughtBy: 'wait-told',
  },
  {
    file: 'workflows/loop/hooks.ts',
    find: "await askHook(run, 'onWaiting', event);",
    replace: 'void askHook;',
    why: 'the hook of a wait is not called',
    caughtBy: 'action-hook-waiting',
  },
  {
    file: 'loop/state/review-wait.ts',
    find: 'const notice = before?.notice;',
    replace: 'const notice = undefined;',
    why: 'a wait that is looked at again is reported again',
    caughtBy: 'wait-told-handed-over-2',
  },
  {
    file: 'workflows/batch/reflection-batch.ts',
    find: 'if (!state.message) {',
    replace: 'if (state.message) {',
    why: 'a batch does not collect waits before it reports them',
    caughtBy: 'batch-waits-1',
  },
];
