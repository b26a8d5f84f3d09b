import { mayAcceptUnasked } from './review';
import { examplePayload } from '../base/command-payloads';
import type { LoopState } from '../state/loop-state';
import type { LoopSettings, ReviewSettings } from '../state/loop-settings';
import {
  alsoRaised,
  failedChecksOf,
  type Limited,
  findLimit,
  type AvailableCommand,
  availableCommands,
} from './available';

function unansweredText(state: LoopState, onTimeout: ReviewSettings['onTimeout']): string {
  if (onTimeout === 'fail') return 'the run fails';
  if (onTimeout === 'stop') return 'the run stops';
  if (!mayAcceptUnasked(state)) return 'the run stops, because this version fails a gate and another does not';
  return state.review?.version === undefined ? 'the best version is accepted' : 'this version is accepted';
}

export function describeSilence(state: LoopState, { review: wanted, budget }: LoopSettings): string | undefined {
  const { review, startedAt } = state;
  const isBudget = budget?.wallClockMs !== undefined && (review?.until ?? 0) >= startedAt + budget.wallClockMs;
  if (isBudget) return 'its time budget is spent, and the run ends';
  return wanted && unansweredText(state, wanted.onTimeout);
}

function effectOf(
  { name, payload }: AvailableCommand,
  { limit, lift }: Limited,
  also: string[],
  failed: string[],
): string {
  switch (name) {
    case 'accept':
      return `ends with this version${failed.length === 0 ? '' : `, although it fails ${failed.map((each) => `\`${each}\``).join(', ')}`}`;
    case 'guide':
      return limit === undefined
        ? 'goes on, and tells the next revision'
        : 'tells the next revision, once you extend the limit';
    case 'override':
      return 'takes your version, and judges it';
    case 'extend':
      return `raises the limit${also.length === 0 ? '' : `; also ${also.map((key) => `\`${key}\``).join(', ')}`}`;
    case 'decide':
      if (payload['decision'] === 'continue') return 'goes on; or `"stop"`, or `"auto"`';
      return lift ? 'ends; to go on, extend the limit' : `ends; nothing lifts the limit (\`${limit}\`)`;
    case 'reflect':
      return 'judges this version again';
    default:
      return 'stops';
  }
}

const HOUR_MS = 60 * 60 * 1_000;

/** Whether times are shown with seconds: in minutes, a short review would seem to end too early. */
function isShort({ review, budget }: LoopSettings): boolean {
  return Math.min(review?.timeoutMs ?? Infinity, budget?.wallClockMs ?? Infinity) < HOUR_MS;
}

function renderCommand({ name, payload }: AvailableCommand): string {
  return name === 'extend' ? JSON.stringify({ ...payload, by: 'you' }) : examplePayload(name, payload);
}

/** Renders the signals that can be sent to the run, in Markdown, payloads to copy, and the end of the wait. */
export function reviewLines(state: LoopState, settings: LoopSettings): string[] {
  const { review, guidance = [] } = state;
  if (!review) return [];
  const { reason, until } = review;
  const end = new Date(until)
    .toISOString()
    .replace('T', ' ')
    .slice(0, isShort(settings) ? 19 : 16);
  const otherwise = reason === undefined ? 'Without a review it would go on.' : `It would end with \`${reason}\`.`;
  const silence = describeSilence(state, settings);
  const unanswered = silence === undefined ? '' : ` If nobody answers by then, ${silence}.`;
  const at = findLimit(state, settings);
  const { limit, lift } = at;
  const held = lift
    ? `What it was told waits for another revision: extend the limit (\`${limit}\`).`
    : `What it was told comes too late: nothing lifts the limit (\`${limit}\`).`;
  return [
    `**It waits for you until ${end} UTC.** ${otherwise}${unanswered}`,
    ...(limit !== undefined && guidance.length > 0 ? ['', held] : []),
    '',
    'Send one of these signals, with this as its input:',
    '',
    ...availableCommands(state, settings).map((offer) => {
      const also = offer.name === 'extend' ? alsoRaised(state, settings, offer.payload) : [];
      return `- \`${offer.name}\` \`${renderCommand(offer)}\` ${effectOf(offer, at, also, failedChecksOf(state))}`;
    }),
  ];
}
