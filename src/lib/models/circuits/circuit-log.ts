import type { CircuitStatus } from './circuit-breaker';

/** Milliseconds between two lines about one model. */
const APART_MS = 60_000;

interface Line {
  at: number;
  told: CircuitStatus['state'];
  /** The latest change, which is reported when its time has come. */
  latest?: CircuitStatus;
}

/** Logs circuits once a minute a model at most: each trial call during an outage changes the state twice. */
export function circuitLog(
  tell: (status: CircuitStatus) => void,
  now: () => number = () => performance.now(),
): (status: CircuitStatus) => void {
  const lines = new Map<string, Line>();
  const write = (key: string, status: CircuitStatus): void => {
    lines.set(key, { at: now(), told: status.state });
    tell(status);
  };
  return (status) => {
    if (status.state === 'half-open') return;
    const key = `${status.provider} ${status.model}`;
    const line = lines.get(key);
    const left = line ? line.at + APART_MS - now() : 0;
    if (!line || left <= 0) return write(key, status);
    const isWaiting = line.latest !== undefined;
    line.latest = status;
    if (isWaiting) return undefined;
    const later = setTimeout(() => {
      // An earlier change has reported a later state.
      if (lines.get(key) !== line) return;
      const { latest, told } = line;
      if (latest && (latest.state === 'open' || latest.state !== told)) write(key, latest);
      else delete line.latest;
    }, left);
    later.unref();
    return undefined;
  };
}
