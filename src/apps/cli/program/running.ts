import type { Command } from 'commander';
import { withExitCodes } from '../support/exit-codes';
import { type Exits, json, repeatable } from '../support/options';
import { JUDGED, local, strict, taskQueue, withServer } from './shared-options';

/** Adds the commands that begin something: a project, a run, a file in our form. */
export function addRunningCommands(reflect: Command, exits: Exits): void {
  withExitCodes(reflect.command('init [folder]'))
    .description('write a new project into an empty folder: a loop, its worker, client and test; default: this folder')
    .option('--force', 'also write into a folder that is not empty: adds what is missing, and replaces no file')
    .addOption(json())
    .action(exits(() => (require('../commands/init') as typeof import('../commands/init')).init));

  withExitCodes(withServer(reflect.command('run <file>')), JUDGED)
    .description('run a YAML or JSON file that holds a loop, a pipeline or a plan; `-` reads standard input')
    .addOption(repeatable('--set <path=value>', 'a field in place of that of the file, such as max_iterations=5'))
    .addOption(repeatable('--state <key=value>', 'a key of the state; JSON where it is JSON, else text'))
    .addOption(repeatable('--state-file <file>', 'a YAML or JSON file with keys of the state'))
    .addOption(repeatable('--attach <key=file>', 'a picture or a file, stored, as a key of the state'))
    .option('--workflow-id <id>', "the run's id; default: a new one")
    .addOption(json())
    .addOption(strict())
    .addOption(local())
    .option('--detach', 'start it, print its id, and do not wait')
    .addOption(taskQueue())
    .action(exits(() => (require('../runs/run') as typeof import('../runs/run')).run));
}
