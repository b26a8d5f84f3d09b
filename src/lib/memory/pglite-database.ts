import { existsSync } from 'node:fs';
import { readdir, rm, writeFile, readFile, rename } from 'node:fs/promises';
import { resolve, dirname } from 'node:path';
import { PGliteThread } from './pglite-thread';
import type { Query, SqlDatabase } from './sql-database';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../files/make-folder';
import { MemoryInUseError } from './errors';

const PAUSE_MS = 50;

/** Locks that this process holds: its own number in a file says nothing after a restart, when numbers begin anew. */
const held = new Set<string>();

function isLeft(file: string, owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  // One that was just made and not yet written.
  if (!Number.isSafeInteger(pid)) return false;
  if (pid === process.pid) return !held.has(file);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Moves a lock away that no process holds any more. The moved lock is looked at again: another process may have been faster. */
async function clear(file: string, owner: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) === owner) await rm(aside);
    else await rename(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Waits until a folder is this process's alone, for two processes would destroy the database that is in it. A process that died
 * holds nothing. Throws MemoryInUseError after `waitMs` milliseconds.
 */
export async function lockFolder(folder: string, waitMs: number): Promise<() => Promise<void>> {
  const file = `${folder}.lock`;
  await makeFolder(dirname(folder));
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      const mark = `${process.pid} ${randomUUID()}`;
      await writeFile(file, mark, { flag: 'wx' });
      held.add(file);
      return async () => {
        held.delete(file);
        await rm(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = await readFile(file, 'utf8').catch(() => '');
    if (isLeft(file, owner)) await clear(file, owner);
    else if (performance.now() > deadline) throw new MemoryInUseError(folder, owner.split(' ')[0] ?? '');
    else await sleep(PAUSE_MS);
  }
}

/** Another process that wants the folder gets it after so long without work here. */
const IDLE_MS = 2_000;
const WAIT_MS = 30_000;

interface Open {
  thread: PGliteThread;
  unlock(): Promise<void>;
}

/** The databases of this process, by folder: it may open a folder once. */
const shared = new Map<string, EmbeddedDatabase>();

/** Opens at the first question, and closes when none comes for a while: it takes 300 MB, and keeps other processes out. */
class EmbeddedDatabase {
  users = 0;
  #open: Promise<Open> | undefined;
  /** Ends when everything that was requested so far is done. There is one connection, and a transaction needs it alone. */
  #turn: Promise<unknown> = Promise.resolve();
  #working = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly folder: string) {}

  async use<T>(work: (query: Query) => Promise<T>): Promise<T> {
    this.#working += 1;
    clearTimeout(this.#timer);
    const done = this.#turn.then(async () => {
      const { thread } = await this.#ensureOpen();
      return work(async <Row>(sql: string, parameters: readonly unknown[] = []) => {
        return (await thread.query(sql, parameters)) as Row[];
      });
    });
    this.#turn = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      this.#working -= 1;
      if (this.#working === 0) this.#closeLater();
    }
  }

  #closeLater(): void {
    this.#timer = setTimeout(() => void this.closeNow(), IDLE_MS);
    // A process that has nothing else to do ends; the lock of a process that ended is free.
    this.#timer.unref();
  }

  async closeNow(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#working === 0) this.#turn = this.#turn.then(() => this.#close());
    await this.#turn;
  }

  async #close(): Promise<void> {
    const open = await this.#open?.catch(() => undefined);
    this.#open = undefined;
    // Whatever happens while it closes, the next one opens it anew.
    await open?.thread.close().catch(() => undefined);
    await open?.unlock();
  }

  async #ensureOpen(): Promise<Open> {
    const before = await this.#open?.catch(() => undefined);
    if (before?.thread.isOpen) return before;
    await before?.unlock();
    this.#open = this.#start();
    return this.#open;
  }

  /** Opens or makes the database. One whose maker was killed cannot be opened, and is made anew. */
  async #openOrMake(): Promise<PGliteThread> {
    const mark = `${this.folder}.making`;
    if (existsSync(mark)) await rm(this.folder, { recursive: true, force: true });
    // What is in a folder that others filled is not for us to remove, whatever becomes of the database.
    else if (!(await isEmpty(this.folder))) return PGliteThread.open(this.folder);
    else await writeFile(mark, '');
    const thread = await PGliteThread.open(this.folder);
    await rm(mark);
    return thread;
  }

  async #start(): Promise<Open> {
    const unlock = await lockFolder(this.folder, WAIT_MS);
    try {
      return { thread: await this.#openOrMake(), unlock };
    } catch (error) {
      await unlock();
      throw error;
    }
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

async function transaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query('BEGIN');
  try {
    const result = await work(query);
    await query('COMMIT');
    return result;
  } catch (error) {
    await query('ROLLBACK').catch(() => []);
    throw error;
  }
}

/** PostgreSQL inside this process (PGlite), in a folder. Opened when it is used. */
export function pgliteDatabase(folder: string): SqlDatabase {
  const place = resolve(folder);
  const database = shared.get(place) ?? new EmbeddedDatabase(place);
  shared.set(place, database);
  database.users += 1;
  let closed = false;
  return {
    query: (sql, parameters) => database.use((query) => query(sql, parameters)),
    transaction: (work) => database.use((query) => transaction(query, work)),
    async close() {
      if (closed) return;
      closed = true;
      database.users -= 1;
      if (database.users > 0) return;
      shared.delete(place);
      await database.closeNow();
    },
  };
}
