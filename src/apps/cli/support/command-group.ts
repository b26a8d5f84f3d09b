import type { Command, Option } from 'commander';
import type { ExitMeanings } from './exit-codes';

export interface SharedOptions {
  /** Adds the options that name the server. */
  server(command: Command): Command;
  taskQueue(): Option;
}

export interface CommandGroup {
  /**
   * Creates the group.
   *
   * @param done takes the exit code of the command that was called
   */
  create(done: (code: number) => void, shared: SharedOptions): Command;
  exitCodes?: Record<string, ExitMeanings>;
}
