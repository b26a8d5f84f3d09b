import pc from 'picocolors';
import { describePhase } from '../../../loop/page/progress';
import type { Listener } from '../follow/follow';
import { StatusLine } from '../terminal/status-line';
import { versionLines } from './version-lines';

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
