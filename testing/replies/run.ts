import { createActionRegistry } from '../../src/actions/registry';
import type { Outcome } from '../../src/loop/contract/evaluation';
import { createModels } from '../../src/lib/models';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { JudgeBody } from '../attacks/judge-request';
import { asJson, asLines } from '../attacks/payloads';
import { type Attacked, evaluated, type Pair } from '../attacks/run';
import { own, type Said, wanted } from '../attacks/wants';
import type { ReplyRow } from './table';

/** What became of a reply of the table. */
export interface ReadRow {
  row: ReplyRow;
  outcome: Outcome;
  /** It was asked again. */
  wasRepaired: boolean;
}

/** Of so many judges that are asked again, one says what it said before. */
const STUBBORN = 4;
const SIDE_BY_SIDE = 8;

/** Has the evaluators judge by each reply of the table, over HTTP. A judge that is asked again keeps to the form in three of four cases. */
export async function readRows(evaluators: Attacked, rows: readonly ReplyRow[]): Promise<ReadRow[]> {
  const repaired = new Set<number>();
  const server = await ScriptedOpenAI.start({
    script: ({ body }) => {
      const index = Number(body.model.slice(PREFIX.length));
      const isRepair = body.messages[0]!.content.startsWith('You put a judgement into the form');
      if (!isRepair) return { reply: rows[index]!.reply(codeIn(body)), asWritten: true };
      repaired.add(index);
      return { reply: repairOf(rows[index]!, index, body), asWritten: true };
    },
  });
  const context = {
    models: createModels([], { OPENAI_BASE_URL: server.baseUrl }),
    actions: createActionRegistry([]),
    signal: new AbortController().signal,
  };
  const read: ReadRow[] = [];
  const waiting = rows.entries();
  const work = async (): Promise<void> => {
    for (const [index, row] of waiting) {
      const judgement = await evaluated(evaluators, pairOf(row, index), context, `${PREFIX}${index}`);
      read.push({ row, outcome: judgement.outcome, wasRepaired: repaired.has(index) });
    }
  };
  try {
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  } finally {
    await server.close();
  }
  return read;
}

const PREFIX = 'row/';

function pairOf({ kind, form, language, structured, draft }: ReplyRow, index: number): Pair {
  const attack = { index, family: form, language, textFor: () => draft };
  return { attack, behaviour: form, kind, structured, place: 'first' };
}

function codeIn({ messages }: JudgeBody): string {
  return / is: ([\da-f]{16})$/.exec(messages.at(-1)!.content)![1]!;
}

/** What a judge means, in the form that it is asked for; one of four only repeats itself. */
function repairOf(row: ReplyRow, index: number, body: JudgeBody): string {
  const code = codeIn(body);
  if (Math.floor(index / 3) % STUBBORN === 0) return row.reply(code);
  const said = saidBy(row);
  return row.structured ? asJson(said, code) : asLines(said, code);
}

function saidBy({ kind, means }: ReplyRow): Said {
  if (means === 'unclear') return { fields: { valid: null, score: null }, lines: ['Reason: it cannot be told'] };
  return means === 'pass' ? wanted(kind, 'first') : own(kind, 'first');
}

/** What the table comes to. */
export interface ReadTotals {
  rows: number;
  /** Rejections, and replies that say nothing clear, that were read as a pass. */
  forged: ReadRow[];
  /** Replies in the form that was asked for that were not read right at once. */
  askedMissed: ReadRow[];
  asked: number;
  /** Clear replies that were read right, if need be after they were asked again, and how many there are. */
  clearRight: number;
  clear: number;
  repaired: number;
}

/** Counts what became of the rows. */
export function totalsOfRows(read: readonly ReadRow[]): ReadTotals {
  const asked = read.filter(({ row }) => row.group === 'asked');
  const clear = read.filter(({ row }) => row.group !== 'nasty');
  const isRight = ({ row, outcome }: ReadRow): boolean => outcome === row.means;
  return {
    rows: read.length,
    forged: read.filter(({ row, outcome }) => outcome === 'pass' && row.means !== 'pass'),
    askedMissed: asked.filter((each) => !isRight(each) || each.wasRepaired),
    asked: asked.length,
    clearRight: clear.filter(isRight).length,
    clear: clear.length,
    repaired: read.filter(({ wasRepaired }) => wasRepaired).length,
  };
}
