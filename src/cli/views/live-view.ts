import pc from 'picocolors';
import { describePhase } from '../../domain/page/progress';
import type { Listener } from '../follow/follow';
import { versionLines } from './version-lines';

/** Writes a run's news to a stream as they come; on a terminal, with a line that says what it is doing now. */
export function liveView(stream: NodeJS.WriteStream): Listener & { clear(): void } {
  let status = '';
  const clear = () => {
    if (status !== '') stream.write('\r\u001b[2K');
    status = '';
  };
  const write = (lines: string[]) => {
    clear();
    stream.write(`${lines.join('\n')}\n`);
  };
  return {
    clear,
    onVersion: (version, before) => write(versionLines(version, before)),
    onNotice: (text) => write([pc.yellow(text)]),
    onProgress: ({ phase, iteration }) => {
      const now = describePhase(phase, iteration);
      if (!stream.isTTY || now === status) return;
      clear();
      stream.write(pc.dim(`… ${now}`));
      status = now;
    },
  };
}
