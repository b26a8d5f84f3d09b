import { hears } from '../support/hears';
import { playOnServer } from '../support/command-sequences';
import { startWorld } from '../support/loop-world';

/** `npm run commands -- --sequences 1000` plays more of them. */
const SEQUENCES = 48;

test(`D4 each acknowledged command took effect once, none after the end: ${SEQUENCES} sequences on a server`, async () => {
  const world = await startWorld({ actions: [hears] });
  try {
    const seeds = Array.from({ length: SEQUENCES }, (_, index) => index + 1);
    const found: string[] = [];
    const play = async (): Promise<void> => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop())
        found.push(...(await playOnServer(world.client, seed)));
    };
    await Promise.all(Array.from({ length: 8 }, play));
    expect(found).toEqual([]);
  } finally {
    await world.close();
  }
}, 120_000);
