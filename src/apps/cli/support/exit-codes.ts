import type { Command } from 'commander';
import { CallAbortedError } from '../../../loop/errors/call-errors';
import { ReflectionFailedError } from '../../../loop/errors/errors';
import { CliError } from './cli-error';

export const EXIT = { success: 0, error: 1, notGoodEnough: 2, interrupted: 130 } as const;

export type Ending = keyof typeof EXIT;

export type ExitMeanings = Partial<Record<Ending, string>>;

const USUAL: ExitMeanings = { success: 'it was done', error: 'an error', interrupted: 'Ctrl-C' };

const meanings = new WeakMap<Command, ExitMeanings>();

/** Adds the meanings of exit codes to a command's help: its own instead of the usual ones, or more. */
export function withExitCodes(command: Command, own: ExitMeanings = {}): Command {
  const all = { ...USUAL, ...own };
  meanings.set(command, all);
  const lines = Object.entries(EXIT).flatMap(([name, code]) => {
    const meaning = all[name as Ending];
    return meaning === undefined ? [] : [`  ${String(code).padEnd(4)} ${meaning}`];
  });
  return command.addHelpText('after', `\nExit codes:\n${lines.join('\n')}`);
}

/** Returns the meanings of a command's exit codes, for `--help`; undefined for a group of commands. */
export function exitMeanings(command: Command): ExitMeanings | undefined {
  return meanings.get(command);
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof ReflectionFailedError) return EXIT.notGoodEnough;
  const letGo = error instanceof CallAbortedError || (error instanceof CliError && INTERRUPTED.has(error.type));
  return letGo ? EXIT.interrupted : EXIT.error;
}

const INTERRUPTED = new Set(['Interrupted', 'CallAborted']);
