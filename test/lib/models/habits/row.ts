import type { ChatReply, ChatRequest, ModelConfig } from '../../../../src/lib/models/types';
import type { ServerHabits } from '../../../../src/apps/testing/scripted-model/habits';
import type { LedgerEntry, ScriptEntry } from '../../../../src/apps/testing/scripted-model/script';
import type { ScriptedServerOptions } from '../../../../src/apps/testing/scripted-model/server';

/** What came of some calls, one after the other, by one worker. */
export interface Seen {
  replies: ChatReply[];
  errors: Error[];
  sent: NonNullable<LedgerEntry['body']>[];
}

export interface Row {
  /** The row of the table in docs/models.md that says what is done about it. */
  row: string;
  name: string;
  habits?: ServerHabits;
  responses?: ScriptedServerOptions['responses'];
  script: ScriptEntry[];
  config?: Partial<ModelConfig>;
  request?: Partial<ChatRequest>;
  /** Default 2. */
  calls?: number;
  check(seen: Seen): void;
}

/** The same answer to two requests. */
export const twice = (entry: object): ScriptEntry[] => [{ ...entry, times: 2 } as ScriptEntry];

/** The texts of calls that all succeeded. */
export const texts = ({ replies, errors }: Seen) => {
  expect(errors).toEqual([]);
  return replies.map(({ text }) => text);
};
