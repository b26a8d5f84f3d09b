import type { Command, Option } from 'commander';
import type { ExitMeanings } from './exit-codes';

export interface SharedOptions {
  server(command: Command): Command;
  taskQueue(): Option;
}

export interface CommandGroup {
  create(done: (code: number) => void, shared: SharedOptions): Command;
  exitCodes?: Record<string, ExitMeanings>;
}
