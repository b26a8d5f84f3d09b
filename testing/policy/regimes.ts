import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const share = z.number().min(0).max(1);

const regime = z.strictObject({
  tasks: z.int().min(1),
  maxFlaws: z.literal(8),
  draftFlawRate: share,
  fix: share,
  fixUnreported: share,
  break: share,
  breakRewrite: share,
  stuck: share,
  recall: share,
  falseAlarm: share,
  bias: z.number().min(-1).max(1),
  noise: z.number().min(0),
  answerError: share,
  outage: share,
});

/** How well the writer writes and the judge judges. The policy under test does not know it. */
export type Regime = z.infer<typeof regime>;

const file = z.strictObject({ defaults: regime, regimes: z.record(z.string(), regime.partial()) });

function readFile(place = path.join(__dirname, 'regimes.json')): z.infer<typeof file> {
  return file.parse(JSON.parse(readFileSync(place, 'utf8')));
}

/** The regimes of a file, by name, each with the defaults filled in. */
export function readRegimes(place?: string): Record<string, Regime> {
  const { defaults, regimes } = readFile(place);
  return Object.fromEntries(Object.entries(regimes).map(([name, changes]) => [name, { ...defaults, ...changes }]));
}
