import type { ChatRequest, SuggestedSetting } from '../../lib/models/types';

/** The temperature of a judge that is asked several times about one output: its answers must be able to differ. */
const SEVERAL_TIMES = 0.7;

type Sampling = Pick<ChatRequest, 'temperature' | 'seed' | 'suggested'>;

/**
 * Returns the sampling of one call of a judge. A judge that is asked once is asked at temperature 0, so that its verdict is not
 * a draw; of several draws each has a seed of its own, its number.
 *
 * @param temperature that the evaluator or the spec sets
 */
export function chooseJudgeSampling(temperature: number | undefined, draw: number | undefined): Sampling {
  const suggested: SuggestedSetting[] = [
    ...(temperature === undefined ? (['temperature'] as const) : []),
    ...(draw === undefined ? [] : (['seed'] as const)),
  ];
  const usual = draw === undefined ? 0 : SEVERAL_TIMES;
  return { temperature: temperature ?? usual, ...(draw !== undefined && { seed: draw }), suggested };
}
