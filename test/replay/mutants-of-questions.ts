import type { Mutant } from './mutant';

/** Mistakes in steps that wait for the answer or the approval of a person. */
export const mutantsOfQuestions: readonly Mutant[] = [
  {
    file: 'loop/moves/next-move.ts',
    find: 'now < (state.parked?.until ?? 0)',
    replace: 'now >= 0',
    why: 'the time for an answer never ends',
    caughtBy: 'question-unanswered',
  },
  {
    file: 'loop/moves/continue-as-new-state.ts',
    find: "move.kind === 'wait' || move.kind === 'await_answer'",
    replace: "move.kind === 'wait'",
    why: 'no new run takes over before the wait for an answer',
    caughtBy: 'question-handed-over-1',
  },
  {
    file: 'workflows/loop/reply-calls.ts',
    find: 'if (left <= 0) return toolResult(call, noMoreQuestions(most), true);',
    replace: '',
    why: 'more questions are asked than the spec allows',
    caughtBy: 'question-unanswered',
  },
  {
    file: 'loop/step-state/ask-person.ts',
    find: 'ownForm(jsonOrText(text))',
    replace: 'jsonOrText(text)',
    why: 'a question in the form of another agent is not asked',
    caughtBy: 'question-in-a-list',
  },
  {
    file: 'loop/state/unfinished-iteration.ts',
    find: '  dropParkedStep(state);\n',
    replace: '',
    why: 'a question stays open although a person gave the version',
    caughtBy: 'question-overridden',
  },
  {
    file: 'workflows/loop/reply-calls.ts',
    find: "decision === 'approved' || decision === 'changed'",
    replace: "decision !== 'unanswered'",
    why: 'a call that was refused is made',
    caughtBy: 'approvals',
  },
  {
    file: 'workflows/loop/reply-calls.ts',
    find: 'if (changed && invalid && now() < parked.until) {',
    replace: 'if (changed && invalid && now() < 0) {',
    why: 'arguments that are invalid are not asked for again',
    caughtBy: 'approvals',
  },
  {
    file: 'workflows/loop/reply-calls.ts',
    find: 'if (!name || !isJsonObject(changed as Json))',
    replace: 'if (name || !isJsonObject(changed as Json))',
    why: 'arguments of a person are taken without a check',
    caughtBy: 'approvals-checked',
  },
  {
    file: 'loop/moves/person-results.ts',
    find: "if (turn.role !== 'tool' || !turn.isFinal || turn.name !== call.name) continue;",
    replace: "if (turn.role !== 'request') continue;",
    why: 'a call that was refused is put to a person again',
    caughtBy: 'approvals-checked',
  },
  {
    file: 'workflows/loop/reply-calls.ts',
    find: '  if (needsApproval) {\n',
    replace: '  if (needsApproval && now() < 0) {\n',
    why: 'a call of which `input` made something else does not wait again',
    caughtBy: 'approvals-checked',
  },
];
