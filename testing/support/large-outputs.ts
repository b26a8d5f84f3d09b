import { z } from 'zod';
import { defineAction } from '../../src/worker';

/** An output of so many characters, another one in each iteration; it reads all of the state. */
export const large = defineAction({
  name: 'large',
  description: 'Gives a large output.',
  input: z.object({ length: z.number() }),
  run: ({ length }, { iteration }) => `${iteration}`.padEnd(length, 'x'),
});

export const passes = defineAction({
  name: 'passes',
  description: 'Lets all pass.',
  input: z.unknown(),
  run: () => true,
});

export const fails = defineAction({
  name: 'fails',
  description: 'Lets nothing pass.',
  input: z.unknown(),
  run: () => false,
});
