/** The folder of an embedded memory is another process's. */
export class MemoryInUseError extends Error {
  readonly type = 'MemoryInUse';
  override readonly name = 'MemoryInUseError';

  constructor(folder: string, pid: string) {
    super(
      `The memory in ${folder} is in use by process ${pid}, and one process at a time can open it. ` +
        'Try again when that one rests, or set DATABASE_URL to a PostgreSQL server, which serves many.',
    );
  }
}
