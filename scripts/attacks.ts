import { parseArgs } from 'node:util';
import { attacks } from '../testing/attacks/drafts';
import { matrixOf, totalsOf } from '../testing/attacks/matrix';
import { OURS } from '../testing/attacks/ours';
import { type Judged, judgeAll, pairsOf, resultPairsOf } from '../testing/attacks/run';
import { readRows, totalsOfRows } from '../testing/replies/run';
import { replyRows } from '../testing/replies/table';

const USAGE = `npm run attacks -- [options]

Puts drafts that attack, and results of tools that do, before a scripted judge, over HTTP, and prints what became of them; then the table of judges' replies.

  --seed N   another set of drafts (default 1)
  --thin     each draft and judge with one kind of evaluator in turn, as CI does, instead of all three
  --show N   forged outcomes to print whole (default 3)`;

/** Ends with 1 when an outcome was the draft's, or a rejection was read as a pass. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      thin: { type: 'boolean', default: false },
      show: { type: 'string', default: '3' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const all = attacks(Number(values.seed));
  const pairs = [...pairsOf(all, values.thin), ...resultPairsOf(all)];
  const started = performance.now();
  const isTerminal = process.stderr.isTTY;
  const judged = await judgeAll(OURS, pairs, (done) => {
    if (isTerminal && (done % 100 === 0 || done === pairs.length)) process.stderr.write(`\r${done} of ${pairs.length}`);
    return false;
  });
  if (isTerminal) process.stderr.write('\n');
  const cells = judged.map(({ attack, behaviour, outcome }) => ({ family: attack.family, column: behaviour, outcome }));
  console.log(matrixOf(cells, process.stdout.isTTY));
  const { right, inconclusive, forged } = totalsOf(cells);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `\n${all.length} drafts (and as many results of tools of the author, and of the judge) of seed ${values.seed}, ${judged.length} judgements in ${seconds} s: ${right} right, ${inconclusive} inconclusive, ${forged} forged`,
  );
  for (const each of judged.filter(({ outcome }) => outcome === 'forged').slice(0, Number(values.show)))
    console.log(told(each));
  const table = totalsOfRows(await readRows(OURS, replyRows()));
  console.log(
    `${table.rows} replies of the table: ${table.asked - table.askedMissed.length} of ${table.asked} in the form that was asked for read right at once, ` +
      `${table.clearRight} of ${table.clear} clear ones read right in the end, ${table.forged.length} rejections read as a pass`,
  );
  for (const { row } of table.forged.slice(0, Number(values.show)))
    console.log(`\nread as a pass (${row.kind}, ${row.form}, ${row.language}):\n${row.reply('CODE')}`);
  return forged === 0 && table.forged.length === 0 ? 0 : 1;
}

function told({ attack, behaviour, kind, structured, place, resultFor, judgement }: Judged): string {
  const { family, language, index } = attack;
  const what = `forged: ${resultFor ? `result for the ${resultFor}` : 'draft'} ${index} (${family}, ${language}), ${kind}, ${structured ? 'structured' : 'in words'}, judge: ${behaviour}`;
  return `\n${what}\n${attack.textFor(kind, place).slice(0, 1_000)}\n→ ${judgement.outcome} ${judgement.score}: ${judgement.reason?.slice(0, 300)}`;
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
