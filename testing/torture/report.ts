import type { Invariant, Violation } from './checks/violation';
import type { TortureRecord } from './record';

const SHOWN = 20;

function count<T>(values: readonly T[], name: (value: T) => string): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(name(value), (counts.get(name(value)) ?? 0) + 1);
  return [...counts].map(([key, number]) => `${key} ${number}`).join(', ');
}

function backgroundText({ sends, asked, noted }: TortureRecord): string {
  const begun = sends.filter(({ response }) => response !== undefined);
  const again = begun.length - new Set(begun.map(({ call }) => call)).size;
  const pickedUp = new Set(asked.filter(({ given, response }) => given === response).map(({ response }) => response));
  const seen = new Set(noted.map(({ response }) => response)).size;
  return (
    `in the background: ${begun.length} responses begun, ${seen} seen at the server in heartbeats, ` +
    `${pickedUp.size} picked up by a later attempt, ${again} begun again`
  );
}

function stallText({ stalls }: TortureRecord): string {
  const longest = Math.max(0, ...stalls.map(({ at, until }) => until - at));
  return `stalls of a second or more: ${stalls.length}${stalls.length > 0 ? `, the longest ${longest} ms` : ''}`;
}

/** What a run did and what it found, for people. */
export function reportText(record: TortureRecord, violations: readonly Violation[]): string {
  const { loops, kills, sends, chains, commands } = record;
  const number = (...kinds: Invariant[]): number =>
    violations.filter(({ invariant }) => kinds.includes(invariant)).length;
  const workers = kills.filter(({ what }) => what === 'worker');
  const runs = chains.reduce((sum, chain) => sum + chain.runs.length, 0);
  const calls = new Set(sends.map(({ call }) => call)).size;
  const acknowledged = commands.filter(({ answer }) => answer === 'acknowledged').length;
  const lines = [
    `seed ${record.seed}: ${loops.length} loops in ${runs} runs; ${workers.length} workers and ${kills.length - workers.length} servers killed`,
    `workers killed at: ${count(workers, ({ barrier }) => barrier ?? 'nothing')}`,
    `calls: ${calls}, sent ${sends.length} times, so ${sends.length - calls} were sent again`,
    backgroundText(record),
    stallText(record),
    `commands: sent ${commands.length} times, ${acknowledged} acknowledged`,
    `results compared with those of the fault-free run: ${Object.keys(record.faultFree).length}`,
    `${number('lost', 'gap', 'command-lost')} lost, ${number('doubled', 'oversent', 'command-doubled', 'command-late')} doubled, ` +
      `${number('resent')} recorded calls sent again, ${number('paid-again')} paid again in the background, ` +
      `${number('stuck')} stuck, ` +
      `${number('tokens')} wrong sums, ${number('result')} other results`,
  ];
  const shown = violations
    .slice(0, SHOWN)
    .map(({ invariant, where, message }) => `  ${invariant} ${where}: ${message}`);
  const more = violations.length > SHOWN ? [`  and ${violations.length - SHOWN} more`] : [];
  return [...lines, ...shown, ...more].join('\n');
}
