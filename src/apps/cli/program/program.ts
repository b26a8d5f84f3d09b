import { Command } from 'commander';
import { steeringCommands } from './steering-commands';
import { COMMAND_GROUPS } from '../../../kinds/list/commands';
import { withExitCodes } from '../support/exit-codes';
import { exitsWith } from '../support/options';
import { addJudgingCommands } from './judging';
import { addKeepingCommands } from './keeping';
import { addLookingCommands } from './looking';
import { addRunningCommands } from './running';
import { addServingCommands } from './serving';
import { taskQueue, withServer } from './shared-options';

/**
 * Creates the tree of commands.
 *
 * @param done takes the exit code of the one that was called
 */
export function program(done: (code: number) => void): Command {
  const reflect = new Command('reflect')
    .description('Reflection loops (generate, evaluate, revise until good enough) as durable Temporal workflows.')
    .version((require('../../../../package.json') as { version: string }).version)
    .showHelpAfterError('(add --help for what there is)')
    .exitOverride();

  const exits = exitsWith(done);
  addRunningCommands(reflect, exits);
  addJudgingCommands(reflect, exits);
  addServingCommands(reflect, exits);
  addLookingCommands(reflect, exits);
  for (const steering of steeringCommands(done)) {
    reflect.addCommand(withExitCodes(withServer(steering.copyInheritedSettings(reflect))));
  }

  for (const { create, exitCodes = {} } of COMMAND_GROUPS) {
    const group = create(done, { server: withServer, taskQueue });
    for (const command of group.commands) {
      withExitCodes(command.copyInheritedSettings(reflect), exitCodes[command.name()] ?? {});
    }
    reflect.addCommand(group.copyInheritedSettings(reflect));
  }
  addKeepingCommands(reflect, exits);
  return reflect;
}
