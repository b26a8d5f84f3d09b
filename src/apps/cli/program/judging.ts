import type { Command } from 'commander';
import { withExitCodes } from '../support/exit-codes';
import { atLeastOne, type Exits, json, repeatable, repeatableChoice, whole } from '../support/options';
import { once, strict, taskQueue, withServer } from './shared-options';

export function addJudgingCommands(reflect: Command, exits: Exits): void {
  withExitCodes(once(reflect.command('evaluate <file>'), 'data to judge'), {
    success: 'it passes',
    notGoodEnough: 'it does not pass, or nobody could judge it',
  })
    .description('judge data once by a YAML or JSON file that holds an evaluator')
    .action(
      exits(
        () =>
          (require('../kinds/standalone/evaluate-correct') as typeof import('../kinds/standalone/evaluate-correct'))
            .evaluate,
      ),
    );

  withExitCodes(once(reflect.command('correct <file>'), 'data to correct'))
    .description('correct data once by a YAML or JSON file that holds a corrector')
    .option(
      '--errors <file|json>',
      'what is wrong: a list, or what `evaluate --json` printed; `-` reads standard input',
    )
    .action(
      exits(
        () =>
          (require('../kinds/standalone/evaluate-correct') as typeof import('../kinds/standalone/evaluate-correct'))
            .correct,
      ),
    );

  withExitCodes(withServer(reflect.command('calibrate')))
    .description('judge the same outputs several times: how far a judge agrees with itself, and with people')
    .argument('<file>', 'a calibration file, or a ready-made set of criteria such as faithfulness@1')
    .option('--times <n>', 'how often each output is judged', whole, 5)
    .option('--labels <file>', 'a list with a score, true, false or null for each output')
    .addOption(strict())
    .addOption(json())
    .addOption(taskQueue())
    .action(exits(() => (require('../commands/calibrate') as typeof import('../commands/calibrate')).calibrate));

  withExitCodes(withServer(reflect.command('experiment <cases>')), { success: 'it was done, whatever it found' })
    .description('run the same cases through several loops and baselines: does the loop help, and what does it cost')
    .addOption(repeatable('--variant <file>', 'a YAML or JSON file that holds a loop'))
    .addOption(
      repeatableChoice(
        '--baseline <name>',
        'single, best-of-n or none; made from the first loop',
        ['single', 'best-of-n', 'none'],
        'single and best-of-n',
      ),
    )
    .option('--judge <file>', 'an evaluator, as for `evaluate`, that no loop sees: it says which outputs are right')
    .option('--name <name>', 'name of the experiment; runs that were made under it are used again', 'experiment')
    .option('--concurrency <n>', 'cases that run at the same time', atLeastOne, 4)
    .option('--seed <n>', 'seed of the bootstrap', whole, 1)
    .option('--html <file>', 'write a report as one page that needs nothing else')
    .addOption(strict())
    .addOption(json())
    .addOption(taskQueue())
    .action(exits(() => (require('../experiment/experiment') as typeof import('../experiment/experiment')).experiment));
}
