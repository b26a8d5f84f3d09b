import { boundedText } from './bounded';
import type { UnreadReply } from '../state/evaluation';

/** Characters of all replies of one evaluation together. */
const ALL_CHARACTERS = 200_000;

/** Replies as an evaluation hands them out. Absent: all were read. */
export function unreadReplies(replies: readonly UnreadReply[]): { unreadReplies?: UnreadReply[] } {
  if (replies.length === 0) return {};
  const most = Math.floor(ALL_CHARACTERS / replies.length);
  return { unreadReplies: replies.map((each) => ({ ...each, reply: boundedText(each.reply, most) })) };
}
