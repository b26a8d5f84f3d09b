import { Command } from 'commander';
import { batchCommands } from '../../../kinds/batch/cli/batch-commands';
import { agentsCommands } from '../../../kinds/agents/cli/agents-commands';
import { memoryCommands } from '../commands/memory-commands';
import { steeringCommands } from '../steer/steering-commands';
import { type ExitMeanings, withExitCodes } from '../support/exit-codes';
import { exitsWith } from '../support/options';
import { addJudgingCommands } from './judging';
import { addKeepingCommands } from './keeping';
import { addLookingCommands } from './looking';
import { addRunningCommands } from './running';
import { addServingCommands } from './serving';
import { taskQueue, withServer } from './shared-options';

/** The meanings of the exit codes of a batch. */
const BATCH: ExitMeanings = {
  success: 'every item passed',
  error: 'an error, or the batch failed',
  notGoodEnough: 'the batch ended, and some items did not pass',
};

/** Creates the tree of commands. @param done takes the exit code of the one that was called */
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

  const groups = [
    batchCommands(done, { server: withServer, taskQueue }),
    memoryCommands(done),
    agentsCommands(done, { server: withServer, taskQueue }),
  ];
  for (const group of groups) {
    for (const command of group.commands) {
      const own = command.name() === 'start' && group.name() === 'batch' ? BATCH : {};
      withExitCodes(command.copyInheritedSettings(reflect), own);
    }
    reflect.addCommand(group.copyInheritedSettings(reflect));
  }
  addKeepingCommands(reflect, exits);
  return reflect;
}
