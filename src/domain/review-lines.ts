import { examplePayload } from './command-payloads';
import type { LoopState } from './loop-state';
import type { ReviewSettings } from './loop-settings';

const UNANSWERED: Record<ReviewSettings['onTimeout'], string> = {
  accept: 'the best version is accepted',
  stop: 'the run stops',
  fail: 'the run fails',
};

/** What a reviewer is asked, in Markdown: what can be sent to the run as a signal, ready to be copied, and until when. */
export function reviewLines({ review }: LoopState, settings?: ReviewSettings): string[] {
  if (!review) return [];
  const { iteration, reason, until } = review;
  const end = new Date(until).toISOString().replace('T', ' ').slice(0, 16);
  const otherwise = reason === undefined ? 'Without a review it would go on.' : `It would end with \`${reason}\`.`;
  const silence = settings ? ` If nobody answers by then, ${UNANSWERED[settings.onTimeout]}.` : '';
  const send = (what: string, payload: string, effect: string): string => `- \`${what}\` \`${payload}\` ${effect}`;
  return [
    `**It waits for you until ${end} UTC.** ${otherwise}${silence}`,
    '',
    'Send one of these signals, with this as its input:',
    '',
    send('accept', examplePayload('accept', { iteration }), 'ends with this version'),
    send('guide', examplePayload('guide'), 'goes on, and tells the next revision'),
    send('override', examplePayload('override'), 'takes your version, and judges it'),
    send('extend', examplePayload('extend'), 'raises the limit; also `tokens`, `usd`'),
    send('decide', examplePayload('decide', { iteration }), 'goes on; or `"stop"`, or `"auto"`'),
    send('reflect', examplePayload('reflect'), 'judges this version again'),
    send('abort', examplePayload('abort'), 'stops'),
  ];
}
