import { seconds } from '../views/printable';

/** Who asked a queue for work. */
export interface Poller {
  /** Milliseconds since it last asked. */
  silentMs: number;
  /** It was a process of this machine, which is there no more. */
  hasEnded: boolean;
}

/** A worker asks again at least once a minute; one that was silent for longer has gone. */
const GONE_AFTER_MS = 75_000;

/** One that asked so lately is there, for all that anybody can tell. */
const JUST_NOW_MS = 5_000;

/** Those that may still be there. An idle worker that was killed cannot be told from one that waits, unless it was of this machine. */
export function presentPollers(pollers: readonly Poller[]): Poller[] {
  return pollers.filter(({ silentMs, hasEnded }) => !hasEnded && silentMs < GONE_AFTER_MS);
}

/** The server tells whole seconds. */
function timeText(milliseconds: number): string {
  return milliseconds < 59_500 ? `${Math.round(milliseconds / 1_000)} s` : seconds(milliseconds);
}

/** Whether workers serve a queue, in words that claim no more than is known. */
export function presenceText(pollers: readonly Poller[]): { well: boolean; text: string } {
  const ago = (some: readonly Poller[]) => timeText(Math.min(...some.map(({ silentMs }) => silentMs)));
  const present = presentPollers(pollers);
  if (present.length === 0) {
    if (pollers.length === 0) return { well: false, text: 'no worker' };
    const ended = pollers.every(({ hasEnded }) => hasEnded) ? ', and its process has ended' : '';
    return { well: false, text: `no worker: the last was seen ${ago(pollers)} ago${ended}` };
  }
  if (present.some(({ silentMs }) => silentMs < JUST_NOW_MS)) return { well: true, text: 'a worker serves it' };
  return { well: true, text: `a worker was seen ${ago(present)} ago; an idle one shows itself once a minute` };
}
