import { ALL_ATTACKS, describeEscapes, LANGUAGES } from './describe-escapes';

jest.setTimeout(300_000);

/** Of each class of attacks, some; `npm run test:sandbox` makes all. */
const FATAL = ['spin', 'answer without end'];
const FORGERIES = ['forge a result', 'replace what answers are written with'];
const ENDS = ['javascript throw what throws', 'lua error with no text', 'python exit', 'prolog halt'];
const GREED = ['javascript spin', 'javascript print', 'lua memory', 'python memory', 'prolog spin'];

/** A name that no attack has any more is a mistake. */
function chosen<T>(wanted: string[], all: [name: string, attack: T][]): [name: string, attack: T][] {
  const found = all.filter(([name]) => wanted.includes(name));
  if (found.length !== wanted.length) throw new Error(`not every attack is known: ${wanted.join(', ')}`);
  return found;
}

const named = <T extends { language: string; name: string }>(each: T): [string, T] => [
  `${each.language} ${each.name}`,
  each,
];
const { fatal, forgeries, ends, greed } = ALL_ATTACKS;

describeEscapes({
  controls: LANGUAGES.slice(0, 1),
  fatal: Object.fromEntries(chosen(FATAL, Object.entries(fatal))),
  forgeries: Object.fromEntries(chosen(FORGERIES, Object.entries(forgeries))),
  ends: chosen(
    ENDS,
    ends.map((end) => [`${end[0]} ${end[1]}`, end]),
  ).map(([, end]) => end),
  greed: chosen(GREED, greed.map(named)).map(([, program]) => program),
});
