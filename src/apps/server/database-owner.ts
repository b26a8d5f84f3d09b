import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { canAnswer } from './readiness';

/** The note that a server on a database file leaves beside it, for the next one that is to use the file. */
interface DatabaseOwner {
  pid: number;
  address: string;
  uiUrl?: string;
}

/**
 * Returns the server that runs on this database file, if one does. Two would fence each other out of the only shard, again and
 * again. A note of a killed server does not count: its process is gone, or does not answer. (Two that start in the same half
 * second can still miss each other.)
 */
export async function ownerOf(databaseFile: string): Promise<DatabaseOwner | undefined> {
  try {
    const owner = JSON.parse(await readFile(noteOf(databaseFile), 'utf8')) as DatabaseOwner;
    process.kill(owner.pid, 0);
    return (await canAnswer(owner.address)) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Creates the folder of a database file, which the server does not do. */
export async function prepareFolder(databaseFile: string): Promise<void> {
  await mkdir(dirname(databaseFile), { recursive: true });
}

export async function noteOwner(databaseFile: string, owner: DatabaseOwner): Promise<void> {
  await writeFile(noteOf(databaseFile), JSON.stringify(owner));
}

/** Takes the note away, if it is still about this process. */
export async function forgetOwner(databaseFile: string, pid: number): Promise<void> {
  const note = await readFile(noteOf(databaseFile), 'utf8').catch(() => '{}');
  if ((JSON.parse(note) as Partial<DatabaseOwner>).pid === pid) await rm(noteOf(databaseFile), { force: true });
}

function noteOf(databaseFile: string): string {
  return `${databaseFile}.server.json`;
}
