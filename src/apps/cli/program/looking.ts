import { type Command, Option } from 'commander';
import { withExitCodes } from '../support/exit-codes';
import { atLeastOne, type Exits, json } from '../support/options';
import { JUDGED, withServer } from './shared-options';

export function addLookingCommands(reflect: Command, exits: Exits): void {
  withExitCodes(withServer(reflect.command('show <id>')), {
    success: 'it was shown; with --follow: its result is good enough',
    notGoodEnough: 'with --follow: its result is not good enough',
  })
    .description('show where a run stands, its versions, nodes or tasks, and its result')
    .addOption(json())
    .addOption(
      new Option(
        '--output',
        'print the output of the version under review, else of the best one, and nothing else',
      ).conflicts(['json', 'follow']),
    )
    .addOption(
      new Option(
        '--prompts [version]',
        'print each model call instead, with prompt, reply, tokens, cost and time: of all versions, or of one, by its number',
      )
        .argParser(atLeastOne)
        .conflicts(['output', 'follow']),
    )
    .addOption(
      new Option(
        '--calls [version]',
        'print what was called for each version instead, with arguments and results: of all versions, or of one, by its number',
      )
        .argParser(atLeastOne)
        .conflicts(['output', 'follow', 'prompts']),
    )
    .option('-f, --follow', 'follow it until it ends, as `run` does; Ctrl-C leaves the run alone')
    .action(exits(() => (require('../runs/show') as typeof import('../runs/show')).show));

  withExitCodes(withServer(reflect.command('watch <id>')), JUDGED)
    .description('follow a run until it ends, as `run` does, the past first; Ctrl-C leaves the run alone')
    .addOption(
      json(
        'print one JSON object a line: each `version` of a loop, each change of `progress`, each `notice`, then `result`',
      ),
    )
    .action(exits(() => (require('../runs/watch') as typeof import('../runs/watch')).watch));

  withExitCodes(withServer(reflect.command('report <id>')), { success: 'it was reported' })
    .description('report on a loop, a plan or a batch: scores, changes, issues, what people did, tokens and cost')
    .addOption(new Option('--html <file>', 'write it as one page that needs nothing else'))
    .addOption(new Option('--prompts', 'show the prompt and the reply of each model call').conflicts('json'))
    .addOption(json())
    .action(exits(() => (require('../runs/report') as typeof import('../runs/report')).report));

  withExitCodes(withServer(reflect.command('list')))
    .description('list loops, pipelines, plans, batches and populations, the latest first')
    .addOption(
      new Option('--status <status>', 'only runs with this status').choices([
        'running',
        'waiting',
        'succeeded',
        'exhausted',
        'aborted',
        'failed',
      ]),
    )
    .option('--limit <n>', 'at most this many runs', atLeastOne, 20)
    .addOption(json())
    .action(exits(() => (require('../commands/list') as typeof import('../commands/list')).list));
}
