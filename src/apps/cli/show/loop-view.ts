import type { Json } from '../../../lib/json/json';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import { isLoopResult } from '../../../loop/versions/result';
import { followAny } from '../follow/follow';
import { liveView } from '../views/live-view';
import { handedBackText, resultText } from '../views/result-view';
import type { RunView } from './run-view';
import { loopShown } from './show-loop';

/** How the command shows and follows a loop. */
export const loopView: RunView<ReflectionSpec> = {
  shown: loopShown,
  name: (spec) => spec.name ?? 'reflection',
  async follow(client, run, news, signal) {
    const view = liveView(news);
    const result = await followAny(client, run, view, signal).finally(() => view.clear());
    if (!isLoopResult(result)) return { result, text: handedBackText(result as Json), outcome: 'success' };
    const failed = result.convergenceReason === 'error' ? 'error' : 'notGoodEnough';
    return { result, text: resultText(result), outcome: result.success ? 'success' : failed };
  },
};
