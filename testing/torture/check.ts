import { checkBackground } from './checks/background';
import { checkCommands } from './checks/commands';
import { checkEnds } from './checks/ends';
import { checkIterations } from './checks/iterations';
import { checkResults } from './checks/results';
import { checkResent } from './checks/resent';
import { checkSends } from './checks/sends';
import { checkTokens } from './checks/tokens';
import type { Violation } from './checks/violation';
import type { TortureRecord } from './record';

const CHECKS: ((record: TortureRecord) => Violation[])[] = [
  checkEnds,
  checkIterations,
  checkResent,
  checkSends,
  checkBackground,
  checkCommands,
  checkTokens,
  checkResults,
];

/** Everything in a record that breaks a promise; nothing when all are kept. Needs no server. */
export function check(record: TortureRecord): Violation[] {
  return CHECKS.flatMap((one) => one(record));
}
