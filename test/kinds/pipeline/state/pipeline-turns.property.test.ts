import fc from 'fast-check';
import type { Json } from '../../../../src/lib/json/json';
import { planNode } from '../../../../src/kinds/pipeline/state/pipeline';
import type { PipelineNode } from '../../../../src/kinds/pipeline/contract/pipeline';
import {
  nextPipelineMove,
  countDoneNodes,
  type PipelineCircumstances,
  type PipelineMove,
  mayWait,
} from '../../../../src/kinds/pipeline/state/pipeline-moves';
import {
  failNode,
  finishNode,
  initialPipelineState,
  type PipelineState,
  startNode,
  markOfPipeline,
} from '../../../../src/kinds/pipeline/state/pipeline-progress';
import { afterNode } from '../../../../src/kinds/pipeline/state/pipeline-state';
import { countTurn } from '../../../../src/lib/base/turns';

interface Turn {
  output: Json;
  fails: boolean;
  isFull: boolean;
  isSuggested: boolean;
  fits: boolean;
}

const LOOP = { generator: { run: '1' }, evaluator: { type: 'regex', pattern: 'x' } };
const kind = fc.constantFrom<object>(
  { run: '1' },
  { run: '1', output: 'made' },
  { uses: 'reflection.loop', with: LOOP },
  { uses: 'reflection.loop', with: { ...LOOP, review: { when: 'on_exhausted' } } },
);
const nodes = fc
  .array(kind, { minLength: 1, maxLength: 8 })
  .map((kinds) => kinds.map((each, index) => ({ name: `n${index}`, ...each }) as PipelineNode));
const turn: fc.Arbitrary<Turn> = fc.record({
  output: fc.constantFrom<Json>(null, 'text', { made: 1 }),
  fails: fc.constantFrom(false, false, false, false, false, true),
  isFull: fc.constantFrom(false, false, false, true),
  isSuggested: fc.constantFrom(false, false, true),
  fits: fc.constantFrom(true, true, false),
});
/** The last part: whether workers are of a version. */
const games = fc.tuple(nodes, fc.array(turn, { minLength: 8, maxLength: 8 }), fc.boolean());
type Game = [PipelineNode[], Turn[], boolean];
interface Seen {
  state: PipelineState;
  move: PipelineMove;
  run: PipelineCircumstances;
}

/** Plays a pipeline through all runs of its chain, without Temporal, and shows its moves before they are made and what they did. */
function play(
  [given, turns, isVersioned]: Game,
  before: (seen: Seen) => void,
  after: (state: PipelineState, move: PipelineMove) => void = () => undefined,
): PipelineMove['kind'][] {
  let state = initialPipelineState({ nodes: given });
  const kinds: PipelineMove['kind'][] = [];
  let nodesBefore = 0;
  let isBoundToBuild = isVersioned;
  const waits = (index: number) => mayWait(planNode(given[index]!));
  for (let step = 0; ; step += 1) {
    if (step > 3 * given.length) throw new Error('the pipeline does not end');
    const with_ = turns[step % turns.length]!;
    const { isFull, isSuggested } = with_;
    const run = { isFull, isSuggested, isBoundToBuild, nodesBefore, mayWait: waits, fits: () => with_.fits };
    const move = nextPipelineMove(state, run);
    kinds.push(move.kind);
    before({ state, move, run });
    if (move.kind === 'hand_over') {
      state = JSON.parse(JSON.stringify(state)) as PipelineState;
      nodesBefore = countDoneNodes(state);
      isBoundToBuild = isVersioned && !waits(move.index);
      continue;
    }
    if (move.kind !== 'run') return kinds;
    const { index } = move;
    const node = planNode(given[index]!);
    startNode(state, index, node, 'p', 0);
    if (with_.fails) {
      failNode(state, index, 'it broke', 1);
      return kinds;
    }
    finishNode(state, index, { ...afterNode(state.state, node, with_.output), warnings: [] }, 1);
    after(state, move);
  }
}

describe('each turn of a pipeline', () => {
  test('changes the state, or ends the run', () => {
    fc.assert(
      fc.property(games, (game) => {
        let mark = [] as readonly unknown[];
        play(
          game,
          ({ state }) => (mark = markOfPipeline(state)),
          (state, move) => {
            const { idle } = countTurn({ mark, idle: 0 }, markOfPipeline(state));
            expect({ move, idle }).toEqual({ move, idle: 0 });
          },
        );
      }),
      { numRuns: 200 },
    );
  });

  test('each node runs once, in its place, and none after one that failed', () => {
    fc.assert(
      fc.property(games, (game) => {
        const ran: number[] = [];
        play(game, ({ move }) => void (move.kind === 'run' && ran.push(move.index)));
        expect(ran).toEqual(ran.map((_, index) => index));
      }),
      { numRuns: 200 },
    );
  });

  test('hands over only where it may, and no node that may wait for a person begins in a run that is bound to its build', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, ({ state, move, run }) => {
          const { isBoundToBuild, isSuggested, nodesBefore } = run;
          if (move.kind === 'run' && run.mayWait(move.index) && run.fits()) expect(isBoundToBuild).toBe(false);
          if (move.kind !== 'hand_over') return;
          const isLong = isSuggested && countDoneNodes(state) > nodesBefore;
          const due = isLong || (isBoundToBuild && run.mayWait(move.index));
          expect({ due, fits: run.fits() }).toEqual({ due: true, fits: true });
          expect(state.nodes.filter(({ status }) => status === 'running')).toEqual([]);
        });
      }),
      { numRuns: 300 },
    );
  });

  test('ends for a full history only where a node is left, and never when the last one is done', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(games, (game) => {
        const moves = play(game, ({ state, move, run: { isFull, nodesBefore } }) => {
          const done = countDoneNodes(state);
          if (move.kind === 'end') expect([done, state.phase]).toEqual([game[0].length, 'done']);
          if (move.kind === 'full') expect([isFull, done < game[0].length, done > 0]).toEqual([true, true, true]);
          if (move.kind === 'run' && done > nodesBefore) expect(isFull).toBe(false);
        });
        for (const each of moves) kinds.add(each);
      }),
      { numRuns: 300, seed: 1 },
    );
    expect([...kinds].sort()).toEqual(['end', 'full', 'hand_over', 'run']);
  });
});
