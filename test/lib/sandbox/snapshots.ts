import { join } from 'node:path';

/** Where tests keep Python, loaded: for each other, and for the next run. Its name says which versions made it. */
export const SNAPSHOTS = join(__dirname, '..', '..', '..', '.reflect', 'cache', 'sandbox');
