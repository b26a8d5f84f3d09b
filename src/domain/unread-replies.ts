import { boundedText } from './bounded';

/** A judge's reply that could not be read as it was. */
export interface UnreadReply {
  /** Name of the evaluator. */
  evaluator: string;
  /** As the model wrote it; the end of a very long one is cut. */
  reply: string;
  /** Why it could not be read. */
  problem: string;
  /** True: a second call put it into a form that could be read, and that verdict counts. False: there is no verdict of it. */
  repaired: boolean;
}

/** Characters of all replies of one evaluation together. */
const ALL_CHARACTERS = 200_000;

/** Replies as an evaluation hands them out. Absent: all were read. */
export function unreadReplies(replies: readonly UnreadReply[]): { unreadReplies?: UnreadReply[] } {
  if (replies.length === 0) return {};
  const most = Math.floor(ALL_CHARACTERS / replies.length);
  return { unreadReplies: replies.map((each) => ({ ...each, reply: boundedText(each.reply, most) })) };
}
