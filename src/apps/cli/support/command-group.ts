import type { Command, Option } from 'commander';
import type { ExitMeanings } from './exit-codes';

/** Options that commands share. */
export interface SharedOptions {
  /** Adds the options that name the server. */
  server(command: Command): Command;
  taskQueue(): Option;
}

/** A group of commands, such as `reflect batch …`. */
export interface CommandGroup {
  /**
   * Creates the group.
   *
   * @param done takes the exit code of the command that was called
   */
  create(done: (code: number) => void, shared: SharedOptions): Command;
  /** The meanings of exit codes that differ from the usual ones, by command. */
  exitCodes?: Record<string, ExitMeanings>;
}
