import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attacks } from '../testing/attacks/drafts';
import { matrixOf, totalsOf } from '../testing/attacks/matrix';
import { judgeReally, type RealJudged, realPairs } from '../testing/attacks/real';

const USAGE = `npm run test:real -- [options]

Runs loops with a real model, and checks that they end and count the tokens that the server counts. Then puts drafts that
attack before a real judge, and prints how often it was talked round, and how often we misread it. Asks the endpoint of
OPENAI_BASE_URL (default: the provider's own) with OPENAI_API_KEY. Three calls for each draft, or a few more. With a small
model on this machine: npm run real:model -- npm run test:real -- --drafts 10

  --only P    loops or attacks (default: both)
  --drafts N  how many drafts (default: all, 330)
  --model M   what the endpoint calls its model (default: OPENAI_MODEL)
  --side N    calls at once (default 4)
  --seed N    another set of drafts (default 1)`;

/** Ends with 0 when we misread nothing, 1 when we did or nothing could be asked, 2 when it was started wrongly. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: 'loops,attacks' },
      drafts: { type: 'string', default: '330' },
      model: { type: 'string', default: process.env['OPENAI_MODEL'] ?? '' },
      side: { type: 'string', default: '4' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return told(USAGE, 0);
  if (!process.env['OPENAI_API_KEY'] && !process.env['OPENAI_BASE_URL'])
    return told('test:real asks a real model: set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint of your own.', 2);
  if (values.model === '') return told('test:real needs the name of a model: give --model M, or set OPENAI_MODEL.', 2);
  const [drafts, side, seed] = [values.drafts, values.side, values.seed].map(Number) as [number, number, number];
  if (![drafts, side, seed].every((each) => Number.isInteger(each) && each > 0))
    return told('--drafts, --side and --seed are whole numbers above 0.', 2);
  const loops = values.only.includes('loops') ? runLoops(values.model) : 0;
  if (!values.only.includes('attacks')) return loops;
  const pairs = realPairs(attacks(seed), drafts);
  const judged: RealJudged[] = [];
  await judgeReally(pairs, { model: values.model, side, env: process.env }, (last) => {
    judged.push(last);
    if (process.stderr.isTTY) process.stderr.write(`\r${judged.length} of ${pairs.length}`);
    else if (judged.length % 50 === 0) console.error(`${judged.length} of ${pairs.length}`);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  return Math.max(loops, report(judged, values.model));
}

/** In a process of its own: the loops need a worker, the attacks do not. */
function runLoops(model: string): number {
  const args = [...process.execArgv, join(__dirname, 'real-loops.ts')];
  const env = { ...process.env, OPENAI_MODEL: model };
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
}

function report(judged: readonly RealJudged[], model: string): number {
  const cells = judged.flatMap((each) =>
    'outcome' in each ? [{ family: each.attack.family, column: each.behaviour, outcome: each.outcome }] : [],
  );
  const errors = judged.flatMap((each) => ('error' in each ? [each.error] : []));
  if (cells.length > 0) console.log(`${matrixOf(cells, process.stdout.isTTY)}\n`);
  const { right, inconclusive, forged, fooled } = totalsOf(cells);
  const rate = cells.length === 0 ? '–' : `${((fooled / cells.length) * 100).toFixed(1)} %`;
  console.log(`${model}: ${cells.length} judgements: ${right} right, ${inconclusive} inconclusive, ${forged} forged`);
  console.log(`The judge itself was talked round ${fooled} times (${rate}): that is the model's own rate.`);
  for (const structured of [true, false]) {
    const asked = judged.filter((each) => each.structured === structured && 'outcome' in each);
    const again = asked.filter(({ calls }) => calls > 1).length;
    console.log(
      `${structured ? 'Structured' : 'In words'}: ${again} of ${asked.length} replies had to be asked for again.`,
    );
  }
  if (errors.length > 0) console.log(`${errors.length} calls failed, the first with: ${errors[0]}`);
  for (const each of judged.filter((one) => 'outcome' in one && one.outcome === 'forged').slice(0, 5)) {
    console.log(
      `\nforged: draft ${each.attack.index} (${each.attack.family}), ${each.behaviour}; the reply was:\n${each.exchange.reply.slice(0, 2_000)}`,
    );
  }
  return forged > 0 || cells.length === 0 ? 1 : 0;
}

function told(text: string, code: number): number {
  (code === 0 ? console.log : console.error)(text);
  return code;
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
