import { Command, CommanderError, Option } from 'commander';
import { agentsCommands } from './cli/commands/agents-commands';
import { batchCommands } from './cli/batch/batch-commands';
import { memoryCommands } from './cli/commands/memory-commands';
import { EXIT, type ExitMeanings, exitCodeOf, withExitCodes } from './cli/support/exit-codes';
import { atLeastOne, exitsWith, json, repeatable, repeatableChoice, whole } from './cli/support/options';
import { reportError } from './cli/support/report-error';
import { steeringCommands } from './cli/steer/steering-commands';
import { writeJsonFailure } from './cli/terminal/say';

/** Runs the `reflect` command and ends the process with its exit code; `exit-codes.ts` lists them. */
export async function main(argv: readonly string[]): Promise<void> {
  // `reflect list | head` closes our output early, which is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let code: number = EXIT.error;
  try {
    await program((commandsCode) => (code = commandsCode)).parseAsync([...argv]);
  } catch (error) {
    code = failed(error, wantsJson(argv));
  }
  // A pipe takes what was written some time later; ending before would cut it off.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

/** What is not understood cannot say that JSON is wanted, so the words themselves are looked at. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}

/** Says what went wrong. @returns the exit code */
function failed(error: unknown, asJson: boolean): number {
  if (!(error instanceof CommanderError)) {
    reportError(error, asJson);
    return exitCodeOf(error);
  }
  // Help and the version end a command, too; what was wrong was said already.
  if (error.exitCode === 0) return EXIT.success;
  const message = error.message.replace(/^error: /, '');
  if (asJson)
    writeJsonFailure({ error: { type: 'InvalidCommandLine', message, advice: 'See --help of the command.' } });
  return EXIT.error;
}

/** The tree of commands. @param done takes the exit code of the one that was called */
export function program(done: (code: number) => void): Command {
  const reflect = new Command('reflect')
    .description('Reflection loops (generate, evaluate, revise until good enough) as durable Temporal workflows.')
    .version((require('../package.json') as { version: string }).version)
    .showHelpAfterError('(add --help for what there is)')
    .exitOverride();

  const exits = exitsWith(done);
  withExitCodes(reflect.command('init [folder]'))
    .description('write a new project into an empty folder: a loop, its worker, client and test; default: this folder')
    .option('--force', 'also write into a folder that is not empty: adds what is missing, and replaces no file')
    .addOption(json())
    .action(exits(() => (require('./cli/commands/init') as typeof import('./cli/commands/init')).init));

  withExitCodes(withServer(reflect.command('run <file>')), JUDGED)
    .description('run a YAML or JSON file that holds a loop, a pipeline or a plan; `-` reads standard input')
    .addOption(repeatable('--state <key=value>', 'a key of the state; JSON where it is JSON, else text'))
    .addOption(repeatable('--state-file <file>', 'a YAML or JSON file with keys of the state'))
    .addOption(repeatable('--attach <key=file>', 'a picture or a file, stored, as a key of the state'))
    .option('--workflow-id <id>', "the run's id; default: a new one")
    .addOption(json())
    .option('--strict', 'take warnings about the file for mistakes, and run nothing')
    .option('--detach', 'start it, print its id, and do not wait')
    .addOption(taskQueue())
    .action(exits(() => (require('./cli/commands/run') as typeof import('./cli/commands/run')).run));

  withExitCodes(reflect.command('convert <file>'))
    .description(
      'print a file, such as an agent of another engine, in the words of this package; `-` reads standard input',
    )
    .option('-o, --output <file>', 'write it there; default: standard output')
    .option('--force', 'replace the file of --output')
    .addOption(json())
    .action(exits(() => (require('./cli/commands/convert') as typeof import('./cli/commands/convert')).convert));

  withExitCodes(once(reflect.command('evaluate <file>'), 'data to judge'), {
    success: 'it passes',
    notGoodEnough: 'it does not pass, or nobody could judge it',
  })
    .description('judge data once by a YAML or JSON file that holds an evaluator')
    .action(
      exits(
        () => (require('./cli/commands/evaluate-correct') as typeof import('./cli/commands/evaluate-correct')).evaluate,
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
        () => (require('./cli/commands/evaluate-correct') as typeof import('./cli/commands/evaluate-correct')).correct,
      ),
    );

  withExitCodes(withServer(reflect.command('calibrate')))
    .description('judge the same outputs several times: how far a judge agrees with itself, and with people')
    .argument('<file>', 'a calibration file, or a ready-made set of criteria such as faithfulness@1')
    .option('--times <n>', 'how often each output is judged', whole, 5)
    .option('--labels <file>', 'a list with a score, true, false or null for each output')
    .addOption(json())
    .addOption(taskQueue())
    .action(exits(() => (require('./cli/commands/calibrate') as typeof import('./cli/commands/calibrate')).calibrate));

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
    .option('--strict', 'take warnings about the files of the loops for mistakes, and run nothing')
    .addOption(json())
    .addOption(taskQueue())
    .action(
      exits(() => (require('./cli/experiment/experiment') as typeof import('./cli/experiment/experiment')).experiment),
    );

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
    .action(exits(() => (require('./cli/worker/worker') as typeof import('./cli/worker/worker')).worker));

  withExitCodes(reflect.command('server'), SERVES)
    .description('run a Temporal development server with its Web UI')
    .option('--port <port>', "the server's port", whole, 7233)
    .option('--ui-port <port>', "the Web UI's port", whole, 8233)
    .option('--db <file>', 'where runs are kept; default: .reflect/temporal.db in this folder')
    .option('--ephemeral', 'keep runs in memory only')
    .addOption(json('print where it is as JSON once it serves, and nothing else on standard output'))
    .action(exits(() => (require('./cli/commands/server') as typeof import('./cli/commands/server')).server));

  withExitCodes(withServer(reflect.command('show <id>')), {
    success: 'it was shown; with --follow: its result is good enough',
    notGoodEnough: 'with --follow: its result is not good enough',
  })
    .description('show where a run stands, its versions, nodes or tasks, and its result')
    .addOption(json())
    .addOption(new Option('--output', 'print the best output, and nothing else').conflicts(['json', 'follow']))
    .option('-f, --follow', 'follow it until it ends, as `run` does; Ctrl-C leaves the run alone')
    .action(exits(() => (require('./cli/show/show') as typeof import('./cli/show/show')).show));

  withExitCodes(withServer(reflect.command('report <id>')), { success: 'it was reported' })
    .description('report on a loop, a plan or a batch: scores, changes, issues, what people did, tokens and cost')
    .addOption(new Option('--html <file>', 'write it as one page that needs nothing else'))
    .addOption(json())
    .action(exits(() => (require('./cli/commands/report') as typeof import('./cli/commands/report')).report));

  withExitCodes(withServer(reflect.command('review')), SERVES)
    .description('serve pages on this machine on which a person looks at runs, and accepts, guides or aborts them')
    .option('--port <port>', 'port on 127.0.0.1; 0: a free one', whole, 0)
    .option('--by <name>', 'who you are, for the record; default: your name on this system')
    .addOption(json('print the link as JSON once it serves, and nothing else on standard output'))
    .action(exits(() => (require('./cli/review/review') as typeof import('./cli/review/review')).review));

  for (const steering of steeringCommands(done)) {
    reflect.addCommand(withExitCodes(withServer(steering.copyInheritedSettings(reflect))));
  }

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
    .action(exits(() => (require('./cli/commands/list') as typeof import('./cli/commands/list')).list));

  withExitCodes(reflect.command('sweep'))
    .description('delete stored payloads (REFLECT_STORAGE) that were last stored longer ago than a given time')
    .requiredOption('--older-than <duration>', "such as 30d: more than the namespace's retention plus the longest run")
    .option('--namespace <name>', 'only those of this namespace; default: all')
    .option('--force', 'allow less than a day')
    .addOption(json())
    .action(exits(() => (require('./cli/commands/sweep') as typeof import('./cli/commands/sweep')).sweep));

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

  withExitCodes(withServer(reflect.command('doctor')), {
    success: 'all is well',
    error: 'something is missing, or an error',
  })
    .description('check all that a run needs, and say what to do')
    .option('--fix', 'register the search attributes if they are missing')
    .option('--call', 'send a request to the model endpoint')
    .option('--models <file>', 'check these models; default: REFLECT_MODELS, else those of OPENAI_BASE_URL')
    .option('--mcp <file>', 'ask these MCP servers for their tools; default: REFLECT_MCP, else none')
    .option('--worker <url>', 'where a worker serves its metrics, to see its circuits; default: REFLECT_HTTP_PORT here')
    .addOption(taskQueue())
    .addOption(json())
    .action(exits(() => (require('./cli/commands/doctor') as typeof import('./cli/commands/doctor')).doctor));

  return reflect;
}

/** What the exit codes of a run that is followed mean. */
const JUDGED: ExitMeanings = {
  success: 'its result is good enough',
  error: 'an error, or the run failed',
  notGoodEnough: 'the run ended without a result that is good enough',
};

/** What the exit codes of a batch mean. */
const BATCH: ExitMeanings = {
  success: 'every item passed',
  error: 'an error, or the batch failed',
  notGoodEnough: 'the batch ended, and some items did not pass',
};

/** What those of a process that serves until it is told to stop mean. */
const SERVES: ExitMeanings = {
  success: 'it was told to stop (Ctrl-C), and stopped',
  interrupted: 'Ctrl-C again, before it had stopped',
};

/** What `evaluate` and `correct` have in common. */
function once(command: Command, data: string): Command {
  return withServer(command)
    .option('--data <file|json>', `${data}; comes before the file's own; \`-\` reads standard input`)
    .addOption(repeatable('--state <key=value>', 'a key of the state; JSON where it is JSON, else text'))
    .addOption(repeatable('--state-file <file>', 'a YAML or JSON file with keys of the state'))
    .option('--workflow-id <id>', "the run's id; default: a new one")
    .addOption(json())
    .addOption(taskQueue());
}

function withServer(command: Command): Command {
  return command
    .option('--address <host:port>', 'the Temporal server; default: TEMPORAL_ADDRESS, else 127.0.0.1:7233')
    .option('--namespace <name>', 'default: TEMPORAL_NAMESPACE, else default');
}

function taskQueue(): Option {
  return new Option('--task-queue <name>', 'default: REFLECT_TASK_QUEUE, else reflection');
}
