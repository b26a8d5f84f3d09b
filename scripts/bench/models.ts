/**
 * `npm run bench:models`: loops beside what one would do instead, with the same number of model calls, on tasks whose truth
 * is known. Asks the endpoint of OPENAI_BASE_URL (default: the provider's own) with OPENAI_API_KEY.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installQuietRuntime } from '../../src/apps/cli/worker/quiet-runtime';
import { connectOrStart } from '../../src/apps/server';
import { type Arm, ARMS } from '../../testing/models/bench/arms';
import { chosenTasks } from '../../testing/models/bench/choose';
import type { Outcome } from '../../testing/models/bench/log';
import { markdownOf, rowsOf } from '../../testing/models/bench/rows';
import { BenchStopped, runBench } from '../../testing/models/bench/run';
import { runScripted } from '../../testing/models/bench/scripted';
import type { Task } from '../../testing/models/task';
import { allTasks } from '../../testing/models/tasks';

const USAGE = `npm run bench:models -- [options]

Does tasks by several arms with the same budget of model calls, and prints how many outputs are valid by the check that the
arm sees, and truly right by one that it does not see. Docs: docs/bench-models.md

  --model M        what the endpoint calls its model (default: OPENAI_MODEL)
  --tasks LIST     how many (of all kinds in turn), or kinds and ids with commas (default: all)
  --without LIST   leaves out the tasks that --tasks LIST would choose
  --arms LIST      ${ARMS.join(',')} (default: all)
  --calls N        model calls that an arm may make for a task (default 4)
  --temperature T  for all arms (default: each arm's own)
  --seed N         draws tasks for --tasks, and the intervals (default 1)
  --log FILE       where outcomes are kept; what is in it already is not done again (default: .reflect/bench-models.jsonl)
  --again LIST     arms that are done again all the same, as after a change of the loop
  --json           prints rows and outcomes as JSON
  --list           prints the tasks
  --scripted       known answers in place of a model: checks the benchmark itself`;

const OPTIONS = {
  model: { type: 'string', default: process.env['OPENAI_MODEL'] ?? '' },
  tasks: { type: 'string' },
  without: { type: 'string' },
  arms: { type: 'string', default: ARMS.join(',') },
  calls: { type: 'string', default: '4' },
  temperature: { type: 'string' },
  seed: { type: 'string', default: '1' },
  log: { type: 'string', default: join('.reflect', 'bench-models.jsonl') },
  again: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  scripted: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** @throws RangeError */
function armsIn(list: string): Arm[] {
  const names = list.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !(ARMS as readonly string[]).includes(name));
  if (unknown.length > 0) throw new RangeError(`There is no arm ${unknown.join(', ')}. There are: ${ARMS.join(', ')}.`);
  return ARMS.filter((arm) => names.includes(arm));
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${name} is a whole number above 0.`);
  return value;
}

function progress(done: number, of: number, { task, arm, seconds }: Outcome): void {
  const line = `${done} of ${of}: ${task}, ${arm}, ${seconds.toFixed(1)} s`;
  if (process.stderr.isTTY) process.stderr.write(`\r${line.padEnd(80)}${done === of ? '\n' : ''}`);
  else if (done % 10 === 0 || done === of) console.error(line);
}

async function outcomesOf(values: ReturnType<typeof parsed>, address: string): Promise<Outcome[]> {
  if (values.scripted) return runScripted({ address, onProgress: progress });
  const seed = wholeNumber('seed', values.seed);
  const baseUrl = process.env['OPENAI_BASE_URL'];
  return runBench({
    tasks: tasksOf(values),
    arms: armsIn(values.arms),
    calls: wholeNumber('calls', values.calls),
    seed,
    model: values.model,
    address,
    log: values.log,
    again: armsIn(values.again),
    onProgress: progress,
    onWait: (why) => console.error(`\nThe endpoint does not answer and is waited for, up to an hour: ${why}`),
    ...(baseUrl && { baseUrl }),
    ...(values.temperature !== undefined && { temperature: Number(values.temperature) }),
  });
}

/** @throws RangeError */
function tasksOf({ tasks, without, seed }: ReturnType<typeof parsed>): Task[] {
  const number = wholeNumber('seed', seed);
  const left = without === undefined ? [] : chosenTasks(allTasks(), without, number);
  const all = allTasks().filter(({ id }) => !left.some((each) => each.id === id));
  return chosenTasks(all, tasks, number);
}

function parsed() {
  return parseArgs({ options: OPTIONS }).values;
}

/** Ends with 0, 1 when it could not go on, 2 when it was started wrongly. */
async function main(): Promise<number> {
  const values = parsed();
  if (values.help) return told(USAGE, 0);
  if (values.list)
    return told(
      allTasks()
        .map(({ id, kind }) => `${id} (${kind})`)
        .join('\n'),
      0,
    );
  const isAsked = values.scripted || process.env['OPENAI_API_KEY'] || process.env['OPENAI_BASE_URL'];
  if (!isAsked) return told('bench:models asks a model: set OPENAI_BASE_URL or OPENAI_API_KEY, or give --scripted.', 2);
  if (!values.scripted && values.model === '')
    return told('bench:models needs the name of a model: give --model M, or set OPENAI_MODEL.', 2);
  // Before a server is started for nothing.
  tasksOf(values);
  installQuietRuntime('ERROR');
  const server = await connectOrStart({ onProgress: (text) => console.error(text) });
  try {
    const outcomes = await outcomesOf(values, server.address);
    const rows = rowsOf(outcomes, wholeNumber('seed', values.seed));
    console.log(values.json ? JSON.stringify({ ...values, rows, outcomes }, null, 2) : markdownOf(rows));
    return 0;
  } finally {
    await server.stop();
  }
}

function told(text: string, code: number): number {
  (code === 0 ? console.log : console.error)(text);
  return code;
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isExplained = error instanceof RangeError || error instanceof BenchStopped;
    console.error(isExplained ? error.message : error);
    process.exit(error instanceof RangeError ? 2 : 1);
  },
);
