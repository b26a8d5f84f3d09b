import { parseArgs } from 'node:util';
import { check } from '../testing/torture/check';
import { readRecord, writeRecord } from '../testing/torture/record';
import { reportText } from '../testing/torture/report';
import { torture } from '../testing/torture/run';
import { TortureStorage } from '../testing/torture/torture-storage';

const USAGE = `npm run torture -- [options]

Runs loops while workers, server and network fail, and checks afterwards that every promise was kept. The seed decides the
loops, their answers, the order of the barriers and the moments of everything else; how the machine interleaves them, it
cannot decide.

  --seed N          (default 1)
  --kills N         workers killed (default 10)
  --server-kills N  Temporal servers killed, and S3 servers with --storage (default 1)
  --minutes N       end after so many minutes at the latest (default 15)
  --loops N         side by side (default 8)
  --storage s3      large outputs in an S3 server
  --record FILE     write down what happened
  --check FILE      only check what was written down`;

function options() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      kills: { type: 'string', default: '10' },
      'server-kills': { type: 'string', default: '1' },
      minutes: { type: 'string', default: '15' },
      loops: { type: 'string', default: '8' },
      storage: { type: 'string' },
      record: { type: 'string' },
      check: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return values;
}

function wholeNumber(text: string, name: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new TypeError(`--${name} takes a whole number, not ${text}`);
  return number;
}

/** Checks a saved record; returns whether every promise was kept. */
function checkFile(file: string): boolean {
  const record = readRecord(file);
  const violations = check(record);
  console.log(reportText(record, violations));
  return violations.length === 0;
}

async function main(): Promise<boolean> {
  const values = options();
  if (values.help) {
    console.log(USAGE);
    return true;
  }
  if (values.check !== undefined) return checkFile(values.check);
  const started = performance.now();
  const kills = wholeNumber(values.kills, 'kills');
  const serverKills = wholeNumber(values['server-kills'], 'server-kills');
  if (values.storage !== undefined && values.storage !== 's3') throw new TypeError('--storage takes s3');
  const storage = values.storage === undefined ? undefined : await TortureStorage.start();
  const { record, misses, resets, delays, lostWorkers } = await torture({
    storage,
    seed: wholeNumber(values.seed, 'seed'),
    kills,
    serverKills,
    minutes: Number(values.minutes),
    loops: wholeNumber(values.loops, 'loops'),
    log: (line) => console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(7)} s  ${line}`),
  });
  if (storage) console.log(`${storage.objects} objects in the bucket`);
  await storage?.stop();
  if (values.record !== undefined) writeRecord(values.record, record);
  const violations = check(record);
  console.log(`\n${reportText(record, violations)}`);
  console.log(`connections reset ${resets} times and delayed ${delays} times; barriers not reached in time: ${misses}`);
  for (const lost of lostWorkers) console.log(`a worker ended by itself: ${lost}`);
  const missing = kills + serverKills * (storage ? 2 : 1) - record.kills.length;
  if (missing > 0) console.log(`${missing} kills were not done within ${values.minutes} minutes`);
  return violations.length === 0 && lostWorkers.length === 0 && missing === 0;
}

main().then(
  (kept) => process.exit(kept ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
