import pc from 'picocolors';
import type { Phase } from '../domain/progress';
import type { Listener } from './follow';
import { versionLines } from './version-lines';

const DOING: Record<Phase, (iteration: number) => string> = {
  preparing: () => 'checking the spec',
  generating: (iteration) => `writing version ${iteration + 1}`,
  evaluating: (iteration) => `judging version ${iteration}`,
  revising: (iteration) => `revising version ${iteration}`,
  waiting: (iteration) => `waiting for a review of version ${iteration}`,
  done: () => 'ending',
};

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
      const now = DOING[phase](iteration);
      if (!stream.isTTY || now === status) return;
      clear();
      stream.write(pc.dim(`… ${now}`));
      status = now;
    },
  };
}
