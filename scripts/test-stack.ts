/**
 * Runs docker-compose.yml as it is, with images that are made here, and breaks it as machines break:
 *
 *   npm run test:stack                       needs root on Debian, with the packages that it names if they are missing
 *   npm run test:stack -- --if-available     ends well where no container can be run, and says so
 *   npm run test:stack -- --prepare          makes what is needed, and ends
 *
 * What was built is kept in `.reflect/stack`, or in the folder that `REFLECT_STACK_CACHE` names.
 */
import { attackSandbox } from './stack/attack-sandbox';
import type { Engine } from './stack/engine';
import { inEngine } from './stack/in-engine';
import { addedBytes } from './stack/images';
import { logger } from './stack/log';
import { playScenes } from './stack/scenes';
import { prepareStack, withStack } from './stack/stack';

/** Of the worker's image over its base. */
const MOST_MEGABYTES = 250;
const CALL_MS = 700;
/** More than what stays in the history, so that every draft goes to the storage. */
const DRAFT_CHARACTERS = 100_000;

const log = logger();

async function play(engine: Engine): Promise<void> {
  const megabytes = Math.round((await addedBytes(engine)) / 1e6);
  log(`the image adds ${megabytes} MB to its base`);
  if (megabytes > MOST_MEGABYTES) throw new Error(`the image adds more than ${MOST_MEGABYTES} MB`);
  await attackSandbox(engine);
  log('every attack on the sandbox failed inside of the container');
  const env = { REFLECT_RECOVERY: 'steady' };
  await withStack(engine, { callMs: CALL_MS, draftCharacters: DRAFT_CHARACTERS, env, log }, async (stack) => {
    await playScenes(stack);
    const { ended, requests, attempts } = stack.loops;
    log(`${ended} loops ended; ${requests} requests in ${attempts} attempts, none that was recorded before`);
  });
}

void inEngine({ prepare: prepareStack, play });
