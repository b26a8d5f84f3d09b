import { examplePayload } from './command-payloads';
import type { LoopState } from './loop-state';
import type { LoopSettings, ReviewSettings } from './loop-settings';
import { limitOfReview } from './review';

const UNANSWERED: Record<ReviewSettings['onTimeout'], string> = {
  accept: 'the best version is accepted',
  stop: 'the run stops',
  fail: 'the run fails',
};

/** What a reviewer is asked, in Markdown: what can be sent to the run as a signal, ready to be copied, and until when. */
export function reviewLines(state: LoopState, settings?: LoopSettings): string[] {
  const { review, guidance = [] } = state;
  if (!review) return [];
  const { iteration, reason, until } = review;
  const end = new Date(until).toISOString().replace('T', ' ').slice(0, 16);
  const otherwise = reason === undefined ? 'Without a review it would go on.' : `It would end with \`${reason}\`.`;
  const unanswered = settings?.review && UNANSWERED[settings.review.onTimeout];
  const silence = unanswered === undefined ? '' : ` If nobody answers by then, ${unanswered}.`;
  const limit = limitOfReview(state, settings);
  const held = `What it was told waits for another revision: extend the limit (\`${limit}\`).`;
  const send = (what: string, payload: string, effect: string): string => `- \`${what}\` \`${payload}\` ${effect}`;
  return [
    `**It waits for you until ${end} UTC.** ${otherwise}${silence}`,
    ...(limit !== undefined && guidance.length > 0 ? ['', held] : []),
    '',
    'Send one of these signals, with this as its input:',
    '',
    send('accept', examplePayload('accept', { iteration }), 'ends with this version'),
    send(
      'guide',
      examplePayload('guide'),
      limit === undefined
        ? 'goes on, and tells the next revision'
        : 'tells the next revision, once you extend the limit',
    ),
    send('override', examplePayload('override'), 'takes your version, and judges it'),
    send('extend', examplePayload('extend'), 'raises the limit; also `tokens`, `usd`'),
    send(
      'decide',
      examplePayload('decide', { iteration, ...(limit === undefined ? {} : { decision: 'stop' }) }),
      limit === undefined ? 'goes on; or `"stop"`, or `"auto"`' : 'ends; to go on, extend the limit',
    ),
    send('reflect', examplePayload('reflect'), 'judges this version again'),
    send('abort', examplePayload('abort'), 'stops'),
  ];
}
