import type { CommandName } from '../../../src/loop/base/command-payloads';
import { commandProblem, receiveCommand } from '../../../src/loop/commands/commands';
import type { ConvergenceReason } from '../../../src/loop/base/convergence';
import type { Budget, LoopSettings, ReviewSettings } from '../../../src/loop/state/loop-settings';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { nextMove } from '../../../src/loop/moves/next-move';
import { beginReview } from '../../../src/loop/state/review-wait';
import { availableCommands, describeWait } from '../../../src/loop/commands/available';
import { renderRunPage } from '../../../src/loop/page/run-page';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const DAY_MS = 24 * 60 * 60 * 1_000;
const at = '2026-01-01T00:00:00.000Z';
const spec = { generator: { action: 'llm.call' } } as const;

interface Waiting {
  state: LoopState;
  settings: LoopSettings;
}

/** A loop that made versions and waits as it does by itself, with what it spent. */
function waits(
  versions: number,
  {
    when = 'on_exhausted',
    budget,
    passed = false,
    usd = 0.2,
    ...more
  }: {
    when?: ReviewSettings['when'];
    budget?: Budget;
    passed?: boolean;
    usd?: number | null;
  } & Partial<LoopSettings> = {},
): Waiting {
  const review = { when, timeoutMs: 7 * DAY_MS, onTimeout: 'accept' } as const;
  const settings = { ...DEFAULT_SETTINGS, maxIterations: 3, review, ...(budget ? { budget } : {}), ...more };
  const state = initialState(0);
  for (let iteration = 1; iteration <= versions; iteration += 1) {
    state.versions.push(aVersion(iteration, anEvaluation(passed ? 'pass' : 'fail', 0.5)));
  }
  state.bestIteration = 1;
  state.tokenUsage = { promptTokens: 150, completionTokens: 150, totalTokens: 300, modelCalls: 4, usd };
  const move = nextMove({ spec, settings, state, now: 0 });
  if (move.kind !== 'wait') throw new Error(`it does not wait, but would ${move.kind}`);
  beginReview(state, settings, move.reason, 0);
  return { state, settings };
}

const rows: [string, Waiting, ConvergenceReason | undefined][] = [
  ['each version', waits(1, { when: 'every_iteration' }), undefined],
  ['the last of them', waits(3, { when: 'every_iteration' }), 'max_iterations'],
  ['a pass', waits(1, { when: 'on_satisfactory', passed: true }), 'quality_met'],
  ['a pass at the limit', waits(3, { when: 'on_satisfactory', passed: true }), 'quality_met'],
  ['the limit of versions', waits(3), 'max_iterations'],
  ['the limit inside another workflow', waits(3, { mostIterations: 4 }), 'max_iterations'],
  ['the last version that is possible', waits(3, { mostIterations: 3 }), 'max_iterations'],
  ['tokens', waits(2, { budget: { tokens: 250 } }), 'token_budget'],
  ['tokens, far beyond the limit', waits(2, { budget: { tokens: 1 } }), 'token_budget'],
  ['costs', waits(2, { budget: { usd: 0.1 } }), 'cost_budget'],
  ['costs that nobody knows', waits(2, { budget: { usd: 5 }, usd: null }), 'cost_budget'],
  ['model calls', waits(2, { budget: { modelCalls: 4 } }), 'call_budget'],
];

const offered = ({ state, settings }: Waiting): CommandName[] =>
  availableCommands(state, settings).map(({ name }) => name);

describe('what a run that waits offers', () => {
  test.each(rows)(
    'is what it takes, as the page has it and as progress has it: %s',
    (_what, { state, settings }, reason) => {
      expect(state.review?.reason).toBe(reason);
      const lines = renderRunPage(state, settings, 'waiting').matchAll(/^- `(\w+)` `(\{.*?\})` /gm);
      const onPage = [...lines].map(([, name, payload]) => ({ name, payload: JSON.parse(payload!) as object }));
      const inProgress = describeWait(state, settings)!.commands!;
      expect(onPage.map(({ name }) => name)).toEqual(inProgress.map(({ name }) => name));
      expect(onPage.length).toBeGreaterThan(4);
      for (const { name, payload } of [...onPage, ...inProgress]) {
        expect([
          name,
          commandProblem(structuredClone(state), name as CommandName, payload, 'update', settings),
        ]).toEqual([name, undefined]);
      }
    },
  );

  test.each(rows)(
    'what lifts the limit is offered where something does, and lets the loop go on: %s',
    (_what, waiting) => {
      const { state, settings } = waiting;
      const extension = availableCommands(state, settings).find(({ name }) => name === 'extend');
      const goesOn =
        availableCommands(state, settings).find(({ name }) => name === 'decide')!.payload['decision'] === 'continue';
      const page = renderRunPage(state, settings, 'waiting');
      expect(page.includes('nothing lifts the limit')).toBe(!goesOn && !extension);
      if (!extension) {
        expect(offered(waiting)).not.toContain('guide');
        expect(
          commandProblem(
            state,
            'decide',
            { iteration: state.review!.iteration, decision: 'continue' },
            'update',
            settings,
          ),
        ).toMatch(
          /^the run has reached its limit \(\w+\), and nothing lifts it: accept, override the output, or decide "stop"$/,
        );
        return;
      }
      const after = structuredClone(state);
      if (goesOn) {
        const decision = { iteration: state.review!.iteration, decision: 'continue' };
        receiveCommand(after, { name: 'decide', payload: decision, via: 'signal', at }, settings);
      } else {
        receiveCommand(after, { name: 'extend', payload: extension.payload, via: 'signal', at }, settings);
        const next = nextMove({ spec, settings, state: after, now: 0 });
        if (next.kind === 'wait') {
          // It waits again where each version is reviewed, or each that passed; it may go on now.
          beginReview(after, settings, next.reason, 0);
          const decision = { iteration: after.review!.iteration, decision: 'continue' };
          expect(
            receiveCommand(after, { name: 'decide', payload: decision, via: 'signal', at }, settings),
          ).toBeUndefined();
        }
      }
      expect(nextMove({ spec, settings, state: after, now: 0 }).kind).toBe('revise');
    },
  );

  test('limits that the spec does not set are not offered', () => {
    const page = (waiting: Waiting) => renderRunPage(waiting.state, waiting.settings, 'waiting');
    expect(page(waits(3))).toMatch(/`extend` `\{"iterations":2,"by":"you"\}` raises the limit$/m);
    expect(page(waits(3, { budget: { tokens: 9_000 } }))).toMatch(/raises the limit; also `tokens`$/m);
    expect(page(waits(2, { budget: { tokens: 250, usd: 9 } }))).toMatch(
      /`extend` `\{"tokens":250,"by":"you"\}` raises the limit; also `iterations`, `usd`$/m,
    );
  });

  test('given a time budget that ends before the review, silence ends the run by the budget', () => {
    const silence = (waiting: Waiting) =>
      /If nobody answers by then, .*/.exec(renderRunPage(waiting.state, waiting.settings, 'waiting'))![0];
    expect(silence(waits(3))).toBe('If nobody answers by then, this version is accepted.');
    expect(silence(waits(3, { budget: { wallClockMs: 8 * DAY_MS } }))).toBe(silence(waits(3)));
    const short = waits(3, { budget: { wallClockMs: DAY_MS } });
    expect(silence(short)).toBe('If nobody answers by then, its time budget is spent, and the run ends.');
    expect(nextMove({ spec, settings: short.settings, state: short.state, now: DAY_MS })).toEqual({
      kind: 'stop',
      reason: 'max_iterations',
    });
  });

  test('the end of a short review is shown with seconds', () => {
    const { state, settings } = waits(3);
    expect(renderRunPage(state, settings, 'waiting')).toContain('**It waits for you until 1970-01-08 00:00 UTC.**');
    const short = waits(3, { review: { ...settings.review!, timeoutMs: 30_000 } });
    expect(renderRunPage(short.state, short.settings, 'waiting')).toContain('until 1970-01-01 00:00:30 UTC.**');
  });

  test('at the limit, guidance is not said to reach a revision', () => {
    const { state, settings } = waits(2, { budget: { modelCalls: 4 } });
    receiveCommand(state, { name: 'guide', payload: { text: 'x' }, via: 'signal', at }, settings);
    expect(describeWait(state, settings)!.what).toMatch(/waits for another revision: nothing lifts the limit\)$/);
    expect(renderRunPage(state, settings, 'waiting')).toContain(
      'What it was told comes too late: nothing lifts the limit (`call_budget`).',
    );
  });

  test('a run that was accepted before its draft does not ask to be accepted', () => {
    const state = initialState(0);
    expect(renderRunPage(state, DEFAULT_SETTINGS, 'generating')).toContain('Send the signal `accept`');
    receiveCommand(state, { name: 'accept', payload: {}, via: 'signal', at }, DEFAULT_SETTINGS);
    expect(renderRunPage(state, DEFAULT_SETTINGS, 'generating')).toContain(
      'It was accepted, and ends with its draft. Send the signal `abort` to stop before.',
    );
  });
});
