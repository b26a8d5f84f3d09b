import pc from 'picocolors';
import type { UnreadReply } from '../../../loop/contract/evaluation';
import { oneLine, printable } from './printable';

/** The maximum number of replies that are shown, and of characters of each; `--json` has them whole. */
const SHOWN = 10;
const LENGTH = 300;

/** Lists replies of judges that could not be read at once; `place` says whose, such as `output 2`. */
export function unreadLines(replies: readonly (UnreadReply & { place?: string })[]): string[] {
  const shown = replies.slice(0, SHOWN).flatMap(({ place, evaluator, reply, problem, repaired }) => {
    const mark = repaired ? pc.yellow('!') : pc.red('?');
    const how = repaired ? 'its reply was read after repair' : 'its reply could not be read';
    const who = [...(place === undefined ? [] : [place]), printable(evaluator)].join(', ');
    return [`  ${mark} ${who}: ${how} (${oneLine(problem, LENGTH)})`, `      ${pc.dim(`“${oneLine(reply, LENGTH)}”`)}`];
  });
  const left = replies.length - SHOWN;
  return left > 0 ? [...shown, `  and ${left} more; --json has them`] : shown;
}
