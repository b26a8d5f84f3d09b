/** What the scripted model must know of a loop. It stands in the loop's prompts, so that answers need nothing else. */
export interface LoopLabel {
  loop: string;
  /** The first version that passes. */
  passAt: number;
  /** The version whose judgement cannot be read at first; 0 for none. */
  unreadableAt: number;
  /** Milliseconds that an answer takes, about. */
  slowMs: number;
}

/** The label as it stands in prompts. */
export function labelText({ loop, passAt, unreadableAt, slowMs }: LoopLabel): string {
  return `[loop=${loop} pass=${passAt} unreadable=${unreadableAt} slow=${slowMs}]`;
}

/** The label in a text. */
export function readLabel(text: string): LoopLabel | undefined {
  const found = /\[loop=(\S+) pass=(\d+) unreadable=(\d+) slow=(\d+)\]/.exec(text);
  if (!found) return undefined;
  const [, loop, passAt, unreadableAt, slowMs] = found;
  return { loop: loop!, passAt: Number(passAt), unreadableAt: Number(unreadableAt), slowMs: Number(slowMs) };
}
