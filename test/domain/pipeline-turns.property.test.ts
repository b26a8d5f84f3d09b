import fc from 'fast-check';
import type { Json } from '../../src/domain/json';
import { planNode, type PipelineNode } from '../../src/domain/pipeline';
import { nextPipelineMove, type PipelineMove } from '../../src/domain/pipeline-moves';
import {
  failNode,
  finishNode,
  initialPipelineState,
  type PipelineState,
  startNode,
} from '../../src/domain/pipeline-progress';
import { afterNode } from '../../src/domain/pipeline-state';
import { countTurn, markOfPipeline } from '../../src/domain/turns';

interface Turn {
  output: Json;
  fails: boolean;
  isFull: boolean;
}

const LOOP = { generator: { run: '1' }, evaluator: { type: 'regex', pattern: 'x' } };
const kind = fc.constantFrom<object>(
  { run: '1' },
  { run: '1', output: 'made' },
  { uses: 'reflection.loop', with: LOOP },
);
const nodes = fc
  .array(kind, { minLength: 1, maxLength: 8 })
  .map((kinds) => kinds.map((each, index) => ({ name: `n${index}`, ...each }) as PipelineNode));
const turn: fc.Arbitrary<Turn> = fc.record({
  output: fc.constantFrom<Json>(null, 'text', { made: 1 }),
  fails: fc.constantFrom(false, false, false, false, false, true),
  isFull: fc.constantFrom(false, false, false, true),
});
const games = fc.tuple(nodes, fc.array(turn, { minLength: 8, maxLength: 8 }));
type Game = [PipelineNode[], Turn[]];

/** Plays a pipeline, without Temporal, and shows each of its moves before it is made and what it did. */
function play(
  [given, turns]: Game,
  before: (state: PipelineState, move: PipelineMove, turn: Turn) => void,
  after: (state: PipelineState, move: PipelineMove) => void = () => undefined,
): PipelineMove['kind'][] {
  const state = initialPipelineState({ nodes: given });
  const kinds: PipelineMove['kind'][] = [];
  for (let step = 0; ; step += 1) {
    if (step > given.length) throw new Error('the pipeline does not end');
    const with_ = turns[step % turns.length]!;
    const move = nextPipelineMove(state, with_.isFull);
    kinds.push(move.kind);
    before(state, move, with_);
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
          (state) => (mark = markOfPipeline(state)),
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
        play(game, (_state, move) => void (move.kind === 'run' && ran.push(move.index)));
        expect(ran).toEqual(ran.map((_, index) => index));
      }),
      { numRuns: 200 },
    );
  });

  test('ends for a full history only where a node is left, and never when the last one is done', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(games, (game) => {
        const moves = play(game, (state, move, { isFull }) => {
          const done = state.nodes.filter(({ status }) => status === 'done').length;
          if (move.kind === 'end') expect([done, state.phase]).toEqual([game[0].length, 'done']);
          if (move.kind === 'full') expect([isFull, done < game[0].length, done > 0]).toEqual([true, true, true]);
          if (move.kind === 'run' && done > 0) expect(isFull).toBe(false);
        });
        for (const each of moves) kinds.add(each);
      }),
      { numRuns: 300, seed: 1 },
    );
    expect([...kinds].sort()).toEqual(['end', 'full', 'run']);
  });
});
