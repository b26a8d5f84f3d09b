import { hears } from '../../testing/support/hears';
import { startWorld } from '../../testing/support/loop-world';
import { type Played, playOnServer } from '../../testing/support/play-commands';

/** `npm run commands -- --sequences 1000` plays more of them. */
const SEQUENCES = 40;

test(`each acknowledged command took effect once, none after the end: ${SEQUENCES} sequences on a server`, async () => {
  const world = await startWorld({ actions: [hears] });
  try {
    const seeds = Array.from({ length: SEQUENCES }, (_, index) => index + 1);
    const played: Played[] = [];
    const play = async (): Promise<void> => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop())
        played.push(await playOnServer(world.client, seed));
    };
    await Promise.all(Array.from({ length: 10 }, play));
    expect(played.flatMap(({ violations }) => violations)).toEqual([]);
    // They are about something: every kind of answer was there.
    const sum = (of: (each: Played) => number): number => played.reduce((total, each) => total + of(each), 0);
    expect(sum(({ acknowledged }) => acknowledged.length)).toBeGreaterThan(SEQUENCES);
    expect(sum(({ refused }) => refused.length)).toBeGreaterThan(SEQUENCES / 4);
    expect(sum(({ signalled }) => signalled.length)).toBeGreaterThan(SEQUENCES / 2);
    expect(sum(({ late }) => late)).toBeGreaterThan(SEQUENCES / 2);
  } finally {
    await world.close();
  }
}, 120_000);
