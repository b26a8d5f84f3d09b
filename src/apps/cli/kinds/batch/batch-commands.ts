import { Command, InvalidArgumentError } from 'commander';
import { atLeastOne, exitsWith, json } from '../../support/options';
import type { CommandGroup, SharedOptions } from '../../support/command-group';

function commands(): typeof import('./batch') {
  return require('./batch') as typeof import('./batch');
}

function aboveZero(value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

function batchCommands(done: (code: number) => void, shared: SharedOptions): Command {
  const exits = exitsWith(done);
  const batch = new Command('batch').description(
    'run a loop for each line of a file: `reflect batch items.jsonl --spec loop.yaml`',
  );
  shared
    .server(batch.command('start <items>', { isDefault: true }))
    .description(
      'run a loop for each line of a JSONL file; given again, attach to the batch; also `reflect batch <items>`',
    )
    .requiredOption('--spec <file>', 'a YAML or JSON file that holds the loop; fields of a line are added to its state')
    .option(
      '--results <file>',
      'where the results go, as JSONL; default: a.results.jsonl for a.jsonl, results.jsonl for `-`',
    )
    .option('--concurrency <n>', 'loops that run at the same time; default: 20', atLeastOne)
    .option('--budget-tokens <n>', 'tokens of all runs, after which no item is started; default: no limit', atLeastOne)
    .option('--budget-usd <n>', 'US dollars of all runs, after which no item is started; default: no limit', aboveZero)
    .option('--retry', 'run the items again that failed or were not started, of a batch that has ended')
    .option('--strict', 'take warnings about the loop and the items for mistakes, and run nothing')
    .option('--workflow-id <id>', "the batch's id; default: made from the items and the loop")
    .option('--detach', 'start it, print its id, and do not wait')
    .addOption(json())
    .addOption(shared.taskQueue())
    .action(exits(() => commands().batchStart));
  shared
    .server(batch.command('pause <id>'))
    .addOption(json())
    .description('start no further items; loops that run go on')
    .action(exits(() => commands().batchPause));
  shared
    .server(batch.command('resume <id>'))
    .addOption(json())
    .description('start items again')
    .action(exits(() => commands().batchResume));
  shared
    .server(batch.command('results <id>'))
    .description('write the results of the items, so far or of all, as JSONL on standard output')
    .option('--results <file>', 'into this file instead')
    .addOption(json('print the number of lines as JSON; needs --results'))
    .action(exits(() => commands().batchResults));
  return batch;
}

export const batchGroup: CommandGroup = {
  create: batchCommands,
  exitCodes: {
    start: {
      success: 'every item passed',
      error: 'an error, or the batch failed',
      notGoodEnough: 'the batch ended, and some items did not pass',
    },
  },
};
