import { createActionRegistry } from '../../src/actions/registry';
import { createModels } from '../../src/lib/models';
import type { Models } from '../../src/lib/models/types';
import { Random } from '../torture/random';
import type { Attack } from './drafts';
import type { Cell } from './matrix';
import { OURS } from './ours';
import { type Exchange, outcomeOfReal } from './own-word';
import { evaluated, type Pair } from './run';
import { KINDS } from './wants';
import { messageOf } from '../../src/lib/base/message-of';

/** The outcome of a draft before a real judge, with the number of calls: a second one asks again for what could not be read. */
export type RealJudged = Pair & { exchange: Exchange; calls: number } & (
    { outcome: Cell['outcome'] } | { error: string }
  );

/** Some drafts of every family before a real judge, by each kind of evaluator, every other one in words. */
export function realPairs(all: readonly Attack[], drafts: number): Pair[] {
  return Random.of(1)
    .shuffled(all)
    .slice(0, drafts)
    .flatMap((attack, row) =>
      KINDS.map((kind, index): Pair => {
        const structured = (row + index) % 2 === 0;
        const behaviour = structured ? kind : `${kind} in words`;
        return { attack, behaviour, kind, structured, place: row % 2 === 0 ? 'first' : 'second' };
      }),
    );
}

/** Asks the endpoint of the environment. A call that fails is told as such, and no outcome. */
export async function judgeReally(
  pairs: readonly Pair[],
  { model, side, env }: { model: string; side: number; env: NodeJS.ProcessEnv },
  told: (last: RealJudged) => void,
): Promise<void> {
  const real = createModels([], env);
  const signal = new AbortController().signal;
  const waiting = pairs.values();
  const work = async (): Promise<void> => {
    for (const pair of waiting) {
      const exchange: Exchange = { code: '', reply: '' };
      let calls = 0;
      const models: Models = {
        ...real,
        async call(request) {
          calls += 1;
          exchange.code = / is: ([\da-f]{16})$/.exec(request.messages.at(-1)?.content ?? '')?.[1] ?? '';
          const answered = await real.call(request);
          exchange.reply = answered.text;
          return answered;
        },
      };
      try {
        const judgement = await evaluated(OURS, pair, { models, actions: createActionRegistry([]), signal }, model);
        told({ ...pair, exchange, calls, outcome: outcomeOfReal(pair, judgement, exchange) });
      } catch (error) {
        told({ ...pair, exchange, calls, error: messageOf(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: side }, work));
}
