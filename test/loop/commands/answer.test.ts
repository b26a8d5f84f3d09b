import { questionSettings } from '../../../src/loop/parse/settings';
import { DEFAULT_QUESTIONS } from '../../../src/loop/state/loop-settings';
import { receiveCommand } from '../../../src/loop/commands/commands';
import { commandsWhileParked } from '../../../src/loop/commands/open-waits';
import { type CommandName } from '../../../src/loop/base/command-payloads';
import type { Json } from '../../../src/lib/json/json';
import { endsCall, nextMove } from '../../../src/loop/moves/next-move';
import { recordOverride, reopenLatest, stop } from '../../../src/loop/moves/transitions';
import { isSafePoint, shouldHandOver } from '../../../src/loop/moves/continue-as-new-state';
import { renderAnswerCommands, renderOpenWaits } from '../../../src/loop/page/open-wait-lines';
import { resultWithoutCall } from '../../../src/loop/moves/person-results';
import type { PersonAnswer } from '../../../src/loop/state/parked-step';
import { waitNotice } from '../../../src/loop/page/wait-notice';
import { progressOf } from '../../../src/loop/page/progress';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { parkStep } from '../../../src/loop/state/parking';
import { beginNotice } from '../../../src/loop/state/review-wait';
import { runStatus } from '../../../src/loop/state/success';
import { readQuestion } from '../../../src/loop/step-state/ask-person';
import { aFailedVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const at = '2026-01-01T00:00:00.000Z';
const generator = { action: 'llm.call' as const, prompt: 'Write.', tools: ['pay', 'ask_person'] };
const settings = { ...DEFAULT_SETTINGS, questions: { most: 3, timeoutMs: 1_000 } };
const UNTIL = 1_000;

/** A loop whose step waits for an answer and an approval: of its draft, or of the revision of a version that failed. */
function parked(versions: 0 | 1): LoopState {
  const state: LoopState = initialState(0);
  if (versions === 1) Object.assign(state, { versions: [aFailedVersion(1, 0.5, ['dull'])], bestIteration: 1 });
  parkStep(state, {
    iteration: versions + 1,
    turns: [],
    steps: 1,
    said: '',
    toolCalls: [
      { id: 'a', name: 'ask_person', arguments: '{"question":"Who?"}' },
      { id: 'b', name: 'pay', arguments: '{"amount":20}' },
    ],
    results: [null, null],
    waits: [
      { id: 'question-1', kind: 'question', call: 0, question: 'Who?' },
      { id: 'approval-1', kind: 'approval', call: 1 },
    ],
    since: 0,
    until: UNTIL,
  });
  return state;
}

const moveOf = (state: LoopState, now = 1) => nextMove({ spec: { generator }, settings, state, now });

function send(state: LoopState, name: CommandName, payload: Json, via: 'signal' | 'update' = 'update') {
  return receiveCommand(state, { name, payload, via, at }, settings);
}

describe('answers', () => {
  test.each<[string, Json, string | undefined]>([
    ['an answer', { to: 'question-1', text: 'Ada' }, undefined],
    ['an approval', { to: 'approval-1', approve: true }, undefined],
    ['a refusal', { to: 'approval-1', refuse: true, reason: 'no' }, undefined],
    ['other arguments', { to: 'approval-1', arguments: { amount: 3 } }, undefined],
    ['what a form leaves empty', { to: 'approval-1', approve: true, refuse: false, text: null }, undefined],
    ['a text for a call', { to: 'approval-1', text: 'yes' }, '"approval-1" is a call: "approve" it'],
    ['an approval of a question', { to: 'question-1', approve: true }, '"question-1" is a question: answer it'],
    ['nothing', { to: 'question-1' }, 'answer needs "text", "approve", "refuse" or "arguments"'],
    ['no decision', { to: 'approval-1', approve: false }, 'answer takes exactly one of'],
    ['two decisions', { to: 'approval-1', approve: true, refuse: true }, 'answer takes exactly one of'],
    ['no wait', { text: 'Ada' }, 'answer needs "to"'],
    [
      'a wait of before',
      { to: 'question-0', text: 'Ada' },
      '"question-0" is not what the run waits for: what it waits for are "question-1" and "approval-1"',
    ],
    ['a text without words', { to: 'question-1', text: ' ' }, 'answer.text must be a text of 1 to 16000 characters'],
    ['arguments that are no object', { to: 'approval-1', arguments: [1] }, 'answer.arguments must be an object'],
    ['large arguments', { to: 'approval-1', arguments: { text: 'x'.repeat(70_000) } }, 'at most 65536 are taken'],
  ])('%s', (_what, payload, problem) => {
    const state = parked(0);
    const why = send(state, 'answer', payload);
    if (problem === undefined) expect(why).toBeUndefined();
    else expect(why).toContain(problem);
    expect(state.parked!.waits.filter(({ answer }) => answer)).toHaveLength(problem === undefined ? 1 : 0);
  });

  test('a second answer to the same wait is refused with the first one; the step goes on after the last wait', () => {
    const state = parked(0);
    send(state, 'answer', { to: 'question-1', text: 'Ada', by: 'Kim' });
    expect(send(state, 'answer', { to: 'question-1', text: 'Eve' })).toBe(
      `"question-1" is answered already: Kim did at ${at}; what it waits for is "approval-1"`,
    );
    expect([moveOf(state).kind, runStatus(state)]).toEqual(['await_answer', 'waiting']);
    send(state, 'answer', { to: 'approval-1', approve: true });
    expect([moveOf(state).kind, runStatus(state)]).toEqual(['draft', 'running']);
  });

  test('a run that waits for nothing refuses every answer', () => {
    expect(send(initialState(0), 'answer', { to: 'question-1', text: 'x' })).toBe(
      'the run waits for no answer: "question-1" is over',
    );
  });
});

describe('while a question is open', () => {
  /** The next move, and whether the question is still open after it was made. */
  const CASES: [what: string, versions: 0 | 1, name: CommandName, payload: Json, move: string, isOpen: boolean][] = [
    ['accept, with a draft', 1, 'accept', { best: true }, 'stop', true],
    ['abort', 0, 'abort', {}, 'stop', true],
    ['decide stop', 1, 'decide', { iteration: 1, decision: 'stop' }, 'stop', true],
    ['decide continue', 1, 'decide', { iteration: 1, decision: 'continue' }, 'await_answer', true],
    ['guide', 1, 'guide', { text: 'Name the source.' }, 'await_answer', true],
    ['extend', 1, 'extend', { iterations: 2 }, 'await_answer', true],
    ['override', 1, 'override', { output: 'mine' }, 'override', false],
    ['override of the draft', 0, 'override', { output: 'mine' }, 'override', false],
    ['reflect', 1, 'reflect', {}, 'judge_again', false],
  ];

  test.each(CASES)('%s', (_what, versions, name, payload, kind, isOpen) => {
    const state = parked(versions);
    expect(moveOf(state).kind).toBe('await_answer');
    expect(send(state, name, payload)).toBeUndefined();
    const move = moveOf(state);
    expect(move.kind).toBe(kind);
    expect(endsCall(move)).toBe(kind !== 'await_answer');
    if (move.kind === 'override') recordOverride(state, settings, at);
    if (move.kind === 'judge_again') reopenLatest(state, settings);
    expect(state.parked !== undefined).toBe(isOpen);
    if (!isOpen) expect(send(state, 'answer', { to: 'question-1', text: 'Ada' })).toContain('waits for no answer');
  });

  test.each<[string, (state: LoopState) => void, string]>([
    ['the run ends', (state) => stop(state, settings, { reason: 'user_accepted' }, at), 'the run ended before'],
    ['the version is judged again', (state) => reopenLatest(state, settings), 'the step was given up'],
    [
      'a person gives another version',
      (state) => {
        send(state, 'override', { output: 'mine' });
        recordOverride(state, settings, at);
      },
      'the step was given up',
    ],
  ])('an answer of a step that waits for another one has no effect if %s', (_what, end, why) => {
    const state = parked(1);
    // Together with its reason, it is too long for the record.
    const given = { arguments: { text: 'x'.repeat(65_000) }, reason: 'y'.repeat(4_000), by: 'Kim' };
    expect(send(state, 'answer', { to: 'approval-1', ...given })).toBeUndefined();
    end(state);
    expect(state.people[0]).toMatchObject({
      name: 'answer',
      payload: { to: 'approval-1', omittedBytes: expect.any(Number) as number },
      applied: false,
      why: expect.stringContaining(why) as string,
    });
  });

  test('an accept before the draft: an update is refused, a signal leaves the question open, and it can be answered', () => {
    const state = parked(0);
    expect(send(state, 'accept', {})).toBe('there is no draft to accept yet');
    expect(send(state, 'accept', {}, 'signal')).toBeUndefined();
    expect(moveOf(state).kind).toBe('await_answer');
    expect(commandsWhileParked(state).map(({ name }) => name)).toEqual(['answer', 'answer', 'answer', 'abort']);
    expect(send(state, 'answer', { to: 'question-1', text: 'Ada' })).toBeUndefined();
  });

  test('the time for the answer, and the time budget, end the wait', () => {
    const budget = { budget: { wallClockMs: 500 } };
    const state = parked(1);
    expect(moveOf(state, UNTIL).kind).toBe('revise');
    const limited = { ...settings, ...budget };
    expect(nextMove({ spec: { generator }, settings: limited, state, now: 500 })).toEqual({
      kind: 'stop',
      reason: 'time_budget',
    });
  });

  test('a new run may take over', () => {
    const state = parked(1);
    expect(isSafePoint(state)).toBe(true);
    const run = { heldBytes: () => 0, isSuggested: false, isBoundToBuild: true, fits: () => true };
    expect(shouldHandOver(state, moveOf(state), run)).toBe(true);
  });

  test('every command that is offered is taken', () => {
    for (const versions of [0, 1] as const) {
      for (const { name, payload } of progressOf(parked(versions), settings, 'waiting').waitingFor!.commands) {
        expect([name, send(parked(versions), name, payload)]).toEqual([name, undefined]);
      }
    }
  });

  test('a notification has the texts only where the worker includes texts', () => {
    const state = parked(0);
    beginNotice(state, { since: 5, number: 1 });
    const place = { id: 'w', workflowId: 'w', runId: 'r', name: undefined, reminder: false, commands: false };
    const short = waitNotice(state, settings, { ...place, text: false });
    expect(short).toMatchObject({
      kind: 'question',
      what: "a person's answer to 1 question; and a person's approval of 1 call: pay (approved calls are made once nothing else is open)",
    });
    expect(JSON.stringify(short)).not.toContain('Who?');
    expect(waitNotice(state, settings, { ...place, text: true })).toMatchObject({
      asked: [
        { id: 'question-1', question: 'Who?' },
        { id: 'approval-1', action: 'pay', arguments: { amount: 20 } },
      ],
      unanswered: 'the model goes on without an answer, and no call that needs approval is made',
    });
  });
});

test('a question is bounded and well-formed; arguments without one are an answer to the model', () => {
  expect(readQuestion('{"question":" Who? ","options":["a",1,"","b"]}')).toEqual({
    question: 'Who?',
    options: ['a', '1', 'b'],
  });
  const long = readQuestion(JSON.stringify({ question: `\ud800${'x'.repeat(9_000)}` }));
  expect(typeof long === 'string' ? 0 : long.question.length).toBe(4_000);
  expect(JSON.stringify(long)).not.toContain('\\ud800');
  for (const wrong of ['', '[]', '{"question":1}', '{"question":"  "}', 'Who?']) {
    expect(readQuestion(wrong)).toContain('have no question');
  }
});

test('a page says when approved calls are made, and offers no approval of arguments that it does not show whole', () => {
  const state = parked(0);
  const offered = () => renderAnswerCommands(state).join('\n');
  expect(renderOpenWaits(state)).toContain('Approved calls are made once nothing else is open.');
  expect(offered()).toContain('"to":"approval-1","approve":true');
  state.parked!.toolCalls[1]!.arguments = JSON.stringify({ amount: 20, note: 'x'.repeat(3_000) });
  expect(renderOpenWaits(state).flat().join('\n')).toContain('read them in `progress` before you approve');
  expect(offered()).not.toContain('approve":true');
  expect(offered()).toContain('"to":"approval-1","refuse":true');
});

test('a call that a person did not approve is recorded without the secrets that its worker found in it', () => {
  const call = { id: 'b', name: 'pay', arguments: '{"amount":20,"pin":"hunter2-hunter2"}' };
  const safeArguments = '{"amount":20,"pin":"[redacted]"}';
  const wait = { id: 'approval-1', kind: 'approval' as const, call: 0, safeArguments };
  const times = { since: 0, until: UNTIL };
  const record = (answer?: PersonAnswer) =>
    resultWithoutCall(call, { ...wait, ...(answer && { answer }) }, times, settings.questions).record;
  expect(record()).toMatchObject({ arguments: { pin: '[redacted]' }, person: { decision: 'unanswered' } });
  expect(record({ decision: 'refused', at })).toMatchObject({ arguments: { pin: '[redacted]' } });
  const changed = record({ decision: 'changed', arguments: { amount: 2 }, at });
  expect(changed!.person).toMatchObject({ proposed: { amount: 20, pin: '[redacted]' } });
});

test('a run whose spec was checked without an approval has the defaults of a spec', () => {
  expect(DEFAULT_QUESTIONS).toEqual(questionSettings());
});
