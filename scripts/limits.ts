import { parseArgs } from 'node:util';
import { defaultCacheDirectory, findTemporalCli } from '../src/apps/server';
import { allCases, type CaseSelection } from '../testing/limits/all-cases';
import { lineOf, reproduction, summaryOf } from '../testing/limits/report';
import { runCases } from '../testing/limits/run-cases';
import { assertLimitsInForce } from '../testing/limits/server-probes';
import { Fleet } from '../testing/limits/shared-workers';
import { startLimitsWorld } from '../testing/limits/world';

const USAGE = `npm run limits -- [options]
  --short          the form for CI: the cases that most often found something
  --case TEXT      only cases whose name is TEXT, or contains it
  --kind TEXT      only cases whose name begins with TEXT: field, volume, pair, message, generated, crash
  --seed N         of generated specs and of the order of pairs (default 1)
  --pairs N        pairs of fields, beside all pairs of volumes (default 100)
  --generated N    generated specs (default 200)
  --minutes N      begin no new case after so many minutes
  --side N         cases side by side (default 2)
  --storage        large payloads outside of histories
  --list           names of the cases
  --json           what came of each case, as JSON lines`;

const DEFAULTS = { seed: '1', pairs: '100', generated: '200' };
/** What says which cases there are: a case is found again with the same. */
const OPTIONS_OF_A_CASE = ['seed', 'pairs', 'generated'] as const;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      case: { type: 'string' },
      kind: { type: 'string' },
      seed: { type: 'string', default: DEFAULTS.seed },
      pairs: { type: 'string', default: DEFAULTS.pairs },
      generated: { type: 'string', default: DEFAULTS.generated },
      minutes: { type: 'string', default: '600' },
      side: { type: 'string', default: '2' },
      storage: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const selection: CaseSelection = {
    short: values.short,
    seed: Number(values.seed),
    pairs: Number(values.pairs),
    generated: Number(values.generated),
    ...(values.case === undefined ? {} : { name: values.case }),
    ...(values.kind === undefined ? {} : { kind: values.kind }),
  };
  if (values.list) {
    for (const { name } of allCases(selection, { judgeUrl: 'http://127.0.0.1:1/' })) console.log(name);
    return 0;
  }
  // Looked at before a server is started: names do not depend on it.
  if (allCases(selection, { judgeUrl: 'http://127.0.0.1:1/' }).length === 0) {
    console.error('There is no such case: --list has the names.');
    return 1;
  }
  const { path: cli } = await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
  const world = await startLimitsWorld(cli, { storage: values.storage });
  try {
    const fleet = await Fleet.start(world);
    await assertLimitsInForce(world, fleet, { slow: !values.short && !values.case && !values.kind });
    const cases = allCases(selection, world);
    console.log(`${cases.length} cases, seed ${selection.seed}`);
    const again = OPTIONS_OF_A_CASE.filter((name) => values[name] !== DEFAULTS[name])
      .map((name) => ` --${name} ${values[name]}`)
      .concat(values.storage ? [' --storage'] : [])
      .join('');
    const { played, left, minutes } = await runCases(cases, world, fleet, {
      minutes: Number(values.minutes),
      side: Number(values.side),
      onPlayed: (one, what) => {
        console.log(values.json ? JSON.stringify(what) : lineOf(what));
        if (what.violations.length === 0) return;
        for (const violation of what.violations) console.log(`  ${violation}`);
        console.log(reproduction(one, what, again));
      },
      onSuspect: ({ name, violations }) => {
        if (!values.json) console.log(`? ${name}: again alone, later: ${violations[0]}`);
      },
    });
    console.log(summaryOf(played, minutes));
    if (left > 0) console.log(`not begun for want of time: ${left}`);
    console.log(`the shared worker died ${fleet.worker.deaths} times`);
    return played.some(({ violations }) => violations.length > 0) ? 1 : 0;
  } finally {
    await world.close();
  }
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
