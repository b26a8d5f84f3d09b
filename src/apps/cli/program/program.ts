import { Command, Option } from 'commander';
import { steeringCommands } from './steering-commands';
import { COMMAND_GROUPS } from '../kinds/list/commands';
import { withExitCodes } from '../support/exit-codes';
import { exitsWith, type Exits, json, repeatable, whole, atLeastOne } from '../support/options';
import { addJudgingCommands } from './judging';
import { taskQueue, withServer, JUDGED, local, strict, SERVES } from './shared-options';

function addLookingCommands(reflect: Command, exits: Exits): void {
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

function addServingCommands(reflect: Command, exits: Exits): void {
  withExitCodes(withServer(reflect.command('worker')), SERVES)
    .description('serve runs: execute workflows, checks and model calls')
    .addOption(taskQueue())
    .option('--port <port>', 'serve /healthz, /readyz and /metrics there; default: REFLECT_HTTP_PORT, else not', whole)
    .option('--host <address>', 'where --port listens; default: REFLECT_HTTP_HOST, else 127.0.0.1')
    .option('--drain <duration>', 'time for calls in flight to finish when it stops; default: REFLECT_DRAIN, else 30s')
    .option('--serve <what>', 'loops, models (calls only) or both; default: REFLECT_SERVE, else both')
    .option(
      '--sandbox <level>',
      '`off` runs no inline code; default: REFLECT_SANDBOX, else as strict as the system can',
    )
    .option(
      '--external-calls <hosts>',
      'on, off or hosts that evaluators may call; default: REFLECT_EXTERNAL_CALLS, else on',
    )
    .option('--allow-actions <names>', 'actions that specs may name; default: REFLECT_ALLOWED_ACTIONS, else all')
    .option('--allow-agents <names>', 'agents whose memories runs may use; default: REFLECT_ALLOWED_AGENTS, else all')
    .option('--allow-models <names>', 'models that specs may name; default: REFLECT_ALLOWED_MODELS, else all')
    .option('--allow-workflows <names>', 'workflows that steps may call; default: REFLECT_ALLOWED_WORKFLOWS, else all')
    .option('--models <file>', 'models that specs may name; default: REFLECT_MODELS, else any name of one endpoint')
    .option('--mcp <file>', 'MCP servers whose tools specs may name; default: REFLECT_MCP, else none')
    .option(
      '--schema-root <dir>',
      'folder with the files that a $ref may name; default: REFLECT_SCHEMA_ROOT, else none',
    )
    .option(
      '--schema-address <url>',
      'address that stands for that folder in a $ref; default: REFLECT_SCHEMA_ADDRESS, else none',
    )
    .addOption(json('print what is served as JSON once it serves, and nothing else on standard output'))
    .action(exits(() => (require('../worker/worker') as typeof import('../worker/worker')).worker));

  withExitCodes(reflect.command('server'), SERVES)
    .description('run a Temporal development server with its Web UI')
    .option('--port <port>', "the server's port", whole, 7233)
    .option('--ui-port <port>', "the Web UI's port", whole, 8233)
    .option('--db <file>', 'where runs are kept; default: .reflect/temporal.db in this folder')
    .option('--ephemeral', 'keep runs in memory only')
    .addOption(json('print where it is as JSON once it serves, and nothing else on standard output'))
    .action(exits(() => (require('../commands/server') as typeof import('../commands/server')).server));

  withExitCodes(withServer(reflect.command('review')), SERVES)
    .description('serve pages on this machine on which a person looks at runs, and accepts, guides or aborts them')
    .option('--port <port>', 'port on 127.0.0.1; 0: a free one', whole, 0)
    .option('--by <name>', 'who you are, for the record; default: your name on this system')
    .addOption(json('print the link as JSON once it serves, and nothing else on standard output'))
    .action(exits(() => (require('../review/review') as typeof import('../review/review')).review));

  withExitCodes(reflect.command('notify'), { success: 'the receiver took it' })
    .description('send a trial message to a receiver of notifications, signed with REFLECT_NOTIFY_SECRET')
    .requiredOption('--test <url>', 'address of the receiver; prints what it answers')
    .addOption(json())
    .action(exits(() => (require('../commands/notify') as typeof import('../commands/notify')).notify));
}

function addRunningCommands(reflect: Command, exits: Exits): void {
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

function addKeepingCommands(reflect: Command, exits: Exits): void {
  withExitCodes(reflect.command('sweep'))
    .description('delete stored payloads (REFLECT_STORAGE) that were last stored longer ago than a given time')
    .requiredOption('--older-than <duration>', "such as 30d: more than the namespace's retention plus the longest run")
    .option('--namespace <name>', 'only those of this namespace; default: all')
    .option('--force', 'allow less than a day')
    .addOption(json())
    .action(exits(() => (require('../commands/sweep') as typeof import('../commands/sweep')).sweep));

  withExitCodes(withServer(reflect.command('doctor')), {
    success: 'all is well',
    error: 'something is missing, or an error',
  })
    .description('check all that a run needs, and say what to do')
    .option('--fix', 'register the search attributes if they are missing')
    .option('--call', 'send a request to the model endpoint')
    .option('--judge [model]', 'try a model as judge with 12 calls; default: the model that a worker calls by default')
    .option('--models <file>', 'check these models; default: REFLECT_MODELS, else those of OPENAI_BASE_URL')
    .option('--mcp <file>', 'ask these MCP servers for their tools; default: REFLECT_MCP, else none')
    .option('--worker <url>', 'where a worker serves its metrics, to see its circuits; default: REFLECT_HTTP_PORT here')
    .addOption(taskQueue())
    .addOption(json())
    .action(exits(() => (require('../commands/doctor') as typeof import('../commands/doctor')).doctor));
}

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
