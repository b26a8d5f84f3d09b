/** Counts the processor time of this process. Unlike the clock, it does not go on while other processes have the processor. */
export class ProcessorTime {
  readonly #before = process.cpuUsage();

  /** Milliseconds of all threads of this process since this was made. */
  get ms(): number {
    const { user, system } = process.cpuUsage(this.#before);
    return (user + system) / 1_000;
  }
}

/** Milliseconds of a processor that some work takes. */
export function processorMs(work: () => void): number {
  const time = new ProcessorTime();
  work();
  return time.ms;
}
