import pc from 'picocolors';
import type { Json } from '../../../lib/json/json';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import { isLoopResult } from '../../../loop/versions/result';
import { followAny, type Listener } from '../follow/follow';
import { handedBackText, resultText } from '../views/result-view';
import type { RunView } from './run-view';
import { loopShown } from './show-loop';
import { describePhase } from '../../../loop/page/progress';
import { StatusLine } from '../terminal/status-line';
import { versionLines } from '../views/version-lines';

/** Writes the events of a run to a stream as they happen; on a terminal, with a line that shows what the run does now. */
export function liveView(stream: NodeJS.WriteStream): Listener & { clear(): void } {
  const line = new StatusLine(stream);
  line.show('starting', undefined);
  return {
    clear: () => line.close(),
    onVersion: (version, before) => line.write(versionLines(version, before)),
    onNotice: (text) => line.write([pc.yellow(text)]),
    onWait: (lines) => line.write(lines),
    ...(line.isLive && { onText: (text: string) => line.showText(text) }),
    onProgress: ({ phase, iteration, tokenUsage }) => line.show(describePhase(phase, iteration), tokenUsage),
  };
}

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
