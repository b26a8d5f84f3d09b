import { OURS } from '../../testing/attacks/ours';
import { readRows, type ReadRow, totalsOfRows } from '../../testing/replies/run';
import { HONEST_DRAFT, replyRows } from '../../testing/replies/table';
import { JUDGE_WORDS } from '../../testing/replies/words';

const CODE = '5eed5eed5eed5eed';
const rows = replyRows();

const told = ({ row, outcome }: ReadRow): string =>
  `${row.kind}, ${row.form} (${row.language}), means ${row.means}, read as ${outcome}:\n${row.reply(CODE)}`;

test('the table has at least 300 replies, all different, in eight languages and twelve forms', () => {
  expect(new Set(rows.map(({ reply, draft }) => `${reply(CODE)}${draft}`)).size).toBeGreaterThanOrEqual(300);
  expect(Object.keys(JUDGE_WORDS)).toHaveLength(8);
  expect(new Set(rows.map(({ form }) => form)).size).toBeGreaterThanOrEqual(12);
  expect(rows.some(({ draft }) => draft === HONEST_DRAFT)).toBe(true);
});

describe('replies of judges, each read over HTTP, and asked again where it must be', () => {
  let read: ReadRow[] = [];
  beforeAll(async () => {
    read = await readRows(OURS, rows);
  }, 60_000);

  test('no rejection, and nothing that is unclear, is read as a pass', () => {
    expect(totalsOfRows(read).forged.map(told)).toEqual([]);
  });

  test('of those in the form that was asked for, 99 of 100 are read right at once', () => {
    const { asked, askedMissed } = totalsOfRows(read);
    expect(asked).toBeGreaterThan(100);
    expect(askedMissed.slice(Math.floor(asked / 100)).map(told)).toEqual([]);
  });

  test('of the clear ones, 90 of 100 are read right, though one judge in four that is asked again only repeats itself', () => {
    const { clear, clearRight, repaired } = totalsOfRows(read);
    console.log(`${clearRight} of ${clear} clear replies read right; ${repaired} of ${read.length} were asked again`);
    expect(clearRight / clear).toBeGreaterThanOrEqual(0.9);
    expect(repaired).toBeLessThan(read.length);
  });
});
