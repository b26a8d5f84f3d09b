import fc from 'fast-check';
import {
  mayWaitNext,
  nextPlanMove,
  type PlanCircumstances,
  type PlanMove,
} from '../../../../src/kinds/plan/state/plan-moves';
import {
  beginPlan,
  beginTask,
  finishedTasks,
  initialPlanState,
  judgePlan,
  type PlanState,
  recordTaskResult,
  markOfPlan,
} from '../../../../src/kinds/plan/state/plan-run';
import type { PlanSpec, Plan, Task } from '../../../../src/kinds/plan/contract/plan';
import { countTurn } from '../../../../src/lib/base/turns';
import { planSettings } from '../../../../src/kinds/plan/parse/plan';

const AT = '2026-01-01T00:00:00.000Z';
/** Two of them are more than may be handed over. */
const LARGE = 'x'.repeat(60);
const HANDED_OVER = 100;

interface Turn {
  /** Of a planner: whether it gives a plan. */
  plans: boolean;
  /** Of a task that ends. */
  success: boolean;
  output: string;
  error: string;
  /** Which of those under way ends first. */
  first: number;
  isSuggested: boolean;
  isFull: boolean;
}

interface Game {
  spec: PlanSpec;
  plans: Plan[];
  /** By a worker of a version, until it is handed over in order to wait. */
  isBoundToBuild: boolean;
  turns: Turn[];
}

const LOOP = { generator: { run: '1' }, evaluator: { type: 'regex', pattern: 'x' } } as const;
const steps: Task['step'][] = [{ run: '1' }, { loop: LOOP }, { loop: { ...LOOP, review: { when: 'on_exhausted' } } }];
const task = (id: string, dependsOn: string[], kind: number): Task => ({
  id,
  description: id,
  step: steps[kind]!,
  dependsOn,
});
/** Tasks that depend on some of those before them; ids come again in later plans. */
const plan: fc.Arbitrary<Plan> = fc
  .array(fc.tuple(fc.array(fc.nat({ max: 7 }), { maxLength: 3 }), fc.constantFrom(0, 0, 1, 2)), {
    minLength: 1,
    maxLength: 8,
  })
  .map((needs) => ({
    id: 'p',
    tasks: needs.map(([each, kind], index) =>
      task(
        `t${index}`,
        each.filter((need) => need < index).map((need) => `t${need}`),
        kind,
      ),
    ),
  }));
const turn: fc.Arbitrary<Turn> = fc.record({
  plans: fc.constantFrom(true, true, true, false),
  success: fc.constantFrom(true, true, true, false),
  output: fc.constantFrom('done', 'done', LARGE),
  error: fc.constantFrom('timeout', 'not found: x', 'permission denied'),
  first: fc.nat({ max: 7 }),
  isSuggested: fc.boolean(),
  isFull: fc.constantFrom(true, false, false, false, false, false, false, false),
});
const games: fc.Arbitrary<Game> = fc.record({
  spec: fc.record({
    goal: fc.constant('Go far'),
    enableReflection: fc.constantFrom(true, true, false),
    maxReplanningAttempts: fc.nat({ max: 3 }),
  }),
  plans: fc.array(plan, { minLength: 4, maxLength: 4 }),
  isBoundToBuild: fc.boolean(),
  turns: fc.array(turn, { minLength: 1, maxLength: 40 }),
});

interface Seen {
  state: PlanState;
  move: PlanMove;
  run: PlanCircumstances;
}

/** What a workflow does with a move, without Temporal. */
function perform({ spec, plans }: Game, state: PlanState, move: PlanMove, with_: Turn): void {
  const settings = planSettings(spec);
  switch (move.kind) {
    case 'plan':
      return void (state.plan = plans[0]!);
    case 'begin':
      state.phase = 'running';
      return beginPlan(state, AT);
    case 'start':
      return beginTask(state, move.task.id, 0);
    case 'wait': {
      const { id } = state.running[with_.first % state.running.length]!;
      const { success, output, error } = with_;
      return recordTaskResult(state, { taskId: id, success, ms: 1, ...(success ? { output } : { error }) });
    }
    case 'judge':
      state.phase = 'reflecting';
      return void judgePlan(state, settings, AT);
    case 'replan':
      if (!with_.plans) return void (state.givenUp = true);
      state.attempt += 1;
      state.plan = plans[state.attempt - 1]!;
      delete state.startedAt;
      return;
    default:
  }
}

const sizeOf = ({ results }: PlanState): number =>
  results.reduce((sum, { output = '' }) => sum + (output as string).length, 0);

/** Plays a plan through all runs of its chain, and shows each of its moves before it is made and what it did. */
function play(game: Game, before: (seen: Seen) => void, after: (seen: Seen) => void = () => undefined): PlanMove[] {
  const settings = planSettings(game.spec);
  let state = initialPlanState();
  let tasksBefore = 0;
  let { isBoundToBuild } = game;
  const moves: PlanMove[] = [];
  for (let step = 0; ; step += 1) {
    if (step > 1_000) throw new Error('the plan does not end');
    const with_ = game.turns[step % game.turns.length]!;
    const { isSuggested, isFull } = with_;
    const now = state;
    const run = { isSuggested, isFull, isBoundToBuild, tasksBefore, fits: () => sizeOf(now) <= HANDED_OVER };
    const move = nextPlanMove(state, settings, run);
    moves.push(move);
    before({ state, move, run });
    perform(game, state, move, with_);
    after({ state, move, run });
    if (move.kind === 'end' || move.kind === 'full') return moves;
    if (move.kind !== 'hand_over') continue;
    state = JSON.parse(JSON.stringify(state)) as PlanState;
    tasksBefore = state.tasksRun;
    isBoundToBuild = game.isBoundToBuild && !mayWaitNext(state);
  }
}

describe('each turn of a plan', () => {
  test('hands over only where it may: what is handed over fits, and no task is left behind', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, ({ state, move, run }) => {
          if (move.kind !== 'hand_over') return;
          expect([run.fits(), state.running]).toEqual([true, []]);
          const hasWorked = state.tasksRun > run.tasksBefore;
          expect(hasWorked || (run.isBoundToBuild && mayWaitNext(state))).toBe(true);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('the run that takes over goes on with a task, and never with what was done', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, ({ state, move, run }) => {
          if (move.kind !== 'hand_over') return;
          const carried = JSON.parse(JSON.stringify(state)) as PlanState;
          const next = nextPlanMove(carried, planSettings(game.spec), {
            ...run,
            isBoundToBuild: game.isBoundToBuild && !mayWaitNext(carried),
            tasksBefore: carried.tasksRun,
          });
          expect(next.kind).toBe('start');
        });
      }),
      { numRuns: 200 },
    );
  });

  test('no task that may wait for a person begins in a run that is bound to its build, unless that cannot be handed over', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, ({ state, move, run }) => {
          if (move.kind !== 'start' || !run.isBoundToBuild || !run.fits()) return;
          expect(mayWaitNext(state)).toBe(false);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('changes the state, or waits for a task that is under way, or ends', () => {
    fc.assert(
      fc.property(games, (game) => {
        let mark = [] as readonly unknown[];
        play(
          game,
          ({ state, move }) => {
            mark = markOfPlan(state);
            if (move.kind === 'wait') expect(state.running).not.toEqual([]);
          },
          ({ state, move }) => {
            const { idle } = countTurn({ mark, idle: 0 }, markOfPlan(state));
            if (!['end', 'full', 'hand_over'].includes(move.kind)) expect({ move, idle }).toEqual({ move, idle: 0 });
          },
        );
      }),
      { numRuns: 200 },
    );
  });

  test('a task begins once in a plan, after those that it needs, and none that could is left', () => {
    fc.assert(
      fc.property(games, (game) => {
        let begun: string[] = [];
        play(game, ({ state, move }) => {
          if (move.kind === 'begin') begun = [];
          const finished = finishedTasks(state);
          if (move.kind === 'start') {
            expect([...begun, ...finished]).not.toContain(move.task.id);
            expect(finished).toEqual(expect.arrayContaining([...(move.task.dependsOn ?? [])]));
            begun.push(move.task.id);
          }
          if (move.kind !== 'judge' && move.kind !== 'end') return;
          const left = state.plan!.tasks.filter(({ id }) => ![...finished, ...state.ran].includes(id));
          expect(left.filter(({ dependsOn = [] }) => dependsOn.every((id) => finished.includes(id)))).toEqual([]);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('the games come to every move, and to runs that could not be handed over', () => {
    const kinds = new Set<string>();
    let large = 0;
    fc.assert(
      fc.property(games, (game) => {
        const moves = play(
          game,
          ({ run, state }) => void (large += run.isSuggested && state.plan && !run.fits() ? 1 : 0),
        );
        for (const { kind } of moves) kinds.add(kind);
      }),
      { numRuns: 300, seed: 1 },
    );
    expect([...kinds].sort()).toEqual(
      ['plan', 'begin', 'start', 'wait', 'judge', 'replan', 'hand_over', 'full', 'end'].sort(),
    );
    expect(large).toBeGreaterThan(0);
  });
});
