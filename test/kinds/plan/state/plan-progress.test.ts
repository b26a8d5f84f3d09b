import { canHandOver } from '../../../../src/kinds/plan/state/plan-moves';
import { isFull } from '../../../../src/loop/limits/run-account';
import { planProgress, renderPlanPage } from '../../../../src/kinds/plan/page/plan-page';
import {
  beginPlan,
  beginTask,
  initialPlanState,
  judgePlan,
  planResultOf,
  type PlanState,
  recordTaskResult,
} from '../../../../src/kinds/plan/state/plan-run';
import { noteRefused, notForThis } from '../../../../src/workflows/signals/refuse-commands';
import { limitResults } from '../../../../src/kinds/plan/state/plan-result';
import { jsonBytes } from '../../../../src/lib/json/json-bytes';
import type { Task } from '../../../../src/kinds/plan/contract/plan';
import { planSettings } from '../../../../src/kinds/plan/parse/plan';

const AT = '2026-01-01T00:00:00.000Z';
const settings = planSettings({ goal: 'g' });
const task = (id: string, dependsOn: string[] = []): Task => ({
  id,
  description: `Do ${id}`,
  step: { run: '1' },
  dependsOn,
});

function underWay(): PlanState {
  const state = initialPlanState();
  state.plan = { id: 'p', tasks: [task('a'), task('b'), task('c', ['a']), task('d')] };
  state.phase = 'running';
  beginPlan(state, AT);
  for (const id of ['a', 'b']) beginTask(state, id, 0);
  beginTask(state, 'd', 0, 'plan/d');
  recordTaskResult(state, { taskId: 'a', success: true, output: 1, ms: 5 });
  recordTaskResult(state, { taskId: 'b', success: false, error: 'not found: x', ms: 7 });
  return state;
}

describe('where a plan stands', () => {
  test('says of each task what it does, how it ended and what was found, and of which run a loop is', () => {
    const state = underWay();
    expect(planProgress('Go', state)).toMatchObject({
      goal: 'Go',
      phase: 'running',
      attempt: 1,
      tasks: [
        { id: 'a', status: 'succeeded', ms: 5 },
        { id: 'b', status: 'failed', ms: 7, error: 'not found: x' },
        { id: 'c', status: 'waiting' },
        { id: 'd', status: 'running', workflowId: 'plan/d' },
      ],
    });
    expect(planProgress('Go', state).tasks.some(({ issues }) => issues)).toBe(false);
    recordTaskResult(state, { taskId: 'd', success: true, output: 2, ms: 1 });
    judgePlan(state, settings, AT);
    const { tasks, judged } = planProgress('Go', state);
    expect(tasks.map(({ issues }) => issues?.length)).toEqual([0, 1, undefined, 0]);
    expect(judged).toEqual([{ success: false, issues: expect.arrayContaining(['task "b": not_found: not found: x']) }]);
  });

  test('what failed in the plan before waits in this one, is no failure of it, and is judged anew once it ran', () => {
    const state = initialPlanState();
    state.plan = { id: 'p', tasks: [task('a'), task('__proto__')] };
    beginPlan(state, AT);
    beginTask(state, 'a', 0);
    recordTaskResult(state, { taskId: 'a', success: false, error: 'timeout', ms: 1 });
    beginTask(state, '__proto__', 0, 'plan/__proto__');
    expect(planProgress('Go', state).tasks[1]).toMatchObject({ status: 'running', workflowId: 'plan/__proto__' });
    recordTaskResult(state, { taskId: '__proto__', success: true, output: 1, ms: 1 });
    judgePlan(state, settings, AT);
    state.attempt = 2;
    state.plan = { id: 'q', tasks: [task('b'), task('a', ['b']), task('__proto__')] };
    beginPlan(state, AT);
    expect(planProgress('Go', state).tasks).toMatchObject([
      { id: 'b', status: 'waiting' },
      { id: 'a', status: 'waiting' },
      { id: '__proto__', status: 'succeeded', issues: [], workflowId: 'plan/__proto__' },
    ]);
    beginTask(state, 'b', 0);
    recordTaskResult(state, { taskId: 'b', success: false, error: 'permission denied', ms: 1 });
    const untried = structuredClone(state);
    expect(judgePlan(untried, settings, AT)).toMatchObject({
      shouldReplan: false,
      issues: expect.arrayContaining(['task "a" was not completed']),
    });
    expect(untried.patterns.filter(({ patternType }) => patternType === 'sequential_failures')).toEqual([]);
    expect(planResultOf(untried, false, 1e6).results.map(({ taskId }) => taskId)).toEqual(['b', '__proto__']);
    beginTask(state, 'a', 0);
    recordTaskResult(state, { taskId: 'a', success: true, output: 1, ms: 1 });
    expect(planProgress('Go', state).tasks[1]).toEqual(expect.not.objectContaining({ issues: expect.anything() }));
    judgePlan(state, settings, AT);
    expect(planProgress('Go', state).tasks[1]).toMatchObject({ status: 'succeeded', issues: [] });
  });

  test('is asked of a spec that is none, and says little of texts that are long', () => {
    expect(planProgress({ no: 'goal' }, initialPlanState())).toMatchObject({ goal: '', tasks: [] });
    const state = underWay();
    state.results[1]!.error = 'x'.repeat(10_000);
    state.plan!.tasks[0]!.description = 'y'.repeat(4_000);
    expect(JSON.stringify(planProgress('z'.repeat(20_000), state)).length).toBeLessThan(2_000);
  });

  test('the page says at a glance where it stands', () => {
    const page = renderPlanPage('Go far', underWay());
    expect(page).toMatch(/^\*\*Carrying out the plan · 1 of 4 tasks done · 1 running · 1 failed\*\*\n\nGo far\n\n/);
    expect(page).toMatch(/- ✅ a: Do a · 0\.0 s\n- ❌ b: Do b · 0\.0 s — not found: x\n- · c: Do c\n- ▶ d: Do d\n/);
    expect(page).toContain('go to the loop: plan/d');
    const refusing = underWay();
    const why = notForThis('plan', ['plan/d', 'plan/e']);
    for (let count = 0; count < 9; count += 1) refusing.refused = noteRefused(refusing.refused, `accept${count}`, why);
    expect(renderPlanPage('Go far', refusing).match(/^- accept\d was refused: .*$/gm)).toEqual(
      [4, 5, 6, 7, 8].map(
        (n) =>
          `- accept${n} was refused: a plan takes no commands: send it to its loops "plan/d" or "plan/e", or cancel the plan`,
      ),
    );
    const ended = underWay();
    judgePlan(ended, settings, AT);
    ended.phase = 'done';
    expect(renderPlanPage('Go far', ended)).toMatch(/^\*\*Did not succeed · [^]*What was found:\n\n- /);
  });

  test('a state that fits into a payload may travel, a larger one stays', () => {
    const preparation = { settings, searchAttributes: true, actionNeeds: {}, actions: [], maximumResultBytes: 1 };
    const state = underWay();
    const spec = { goal: 'Go far' };
    expect(canHandOver(spec, { state, preparation })).toBe(true);
    // Bytes count, not characters, and the spec travels, too.
    state.results[0]!.output = '語'.repeat(600_000);
    expect(canHandOver(spec, { state, preparation })).toBe(true);
    expect(canHandOver({ ...spec, state: { text: '語'.repeat(100_000) } }, { state, preparation })).toBe(false);
    state.results[0]!.output = '語'.repeat(700_000);
    expect(canHandOver(spec, { state, preparation })).toBe(false);
    const stored = { ...preparation, maximumResultBytes: 16 * 1024 * 1024 };
    expect(canHandOver(spec, { state, preparation: stored })).toBe(true);
  });

  test('what counts for a new run is every byte of what travels, to the last one', () => {
    const preparation = { settings, searchAttributes: true, actionNeeds: {}, actions: [], maximumResultBytes: 1 };
    const state = underWay();
    const spec = { goal: 'Go far' };
    state.results[0]!.output = '';
    const more = 1_950_000 - jsonBytes([spec, { state, preparation }]);
    state.results[0]!.output = 'x'.repeat(more);
    expect(canHandOver(spec, { state, preparation })).toBe(true);
    state.results[0]!.output += 'x';
    expect(canHandOver(spec, { state, preparation })).toBe(false);
    // The spec alone is too much.
    expect(canHandOver({ goal: 'x'.repeat(2_000_000) }, { state: initialPlanState(), preparation })).toBe(false);
  });

  test('a history is full before the server ends it, for its bytes or its events', () => {
    expect(isFull({ bytes: 30_000_000, events: 40_000 })).toBe(false);
    expect(isFull({ bytes: 45_000_000, events: 100 })).toBe(true);
    expect(isFull({ bytes: 1_000, events: 46_000 })).toBe(true);
  });

  test('results are cut to bytes, not characters: a payload is', () => {
    const made = ['語'.repeat(100), 'x'.repeat(100), 'x'.repeat(10)];
    const results = made.map((output, index) => ({ taskId: `t${index}`, success: true, ms: 1, output }));
    const slim = limitResults(results, 400);
    expect(slim.map(({ output }) => output)).toEqual(['(302 bytes of output are left out)', ...made.slice(1)]);
    expect(jsonBytes(slim)).toBeLessThan(400);
  });
});
