import { Command, Option } from 'commander';
import { agentsCommands } from './cli/commands/agents-commands';
import { memoryCommands } from './cli/commands/memory-commands';
import { atLeastOne, exitsWith, repeatable, whole } from './cli/support/options';
import { reportError } from './cli/support/report-error';
import { steeringCommands } from './cli/steer/steering-commands';

/**
 * Runs the `reflect` command and ends the process with its exit code: 0 success, 1 an error, 2 a run that ended without a
 * good version, 130 Ctrl-C.
 */
export async function main(argv: readonly string[]): Promise<void> {
  // `reflect list | head` closes our output early, which is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let code = 1;
  try {
    await program((commandsCode) => (code = commandsCode)).parseAsync([...argv]);
  } catch (error) {
    reportError(error);
    code = 1;
  }
  // A pipe takes what was written some time later; ending before would cut it off.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

/** The tree of commands. @param done takes the exit code of the one that was called */
export function program(done: (code: number) => void): Command {
  const reflect = new Command('reflect')
    .description('Reflection loops (generate, evaluate, revise until good enough) as durable Temporal workflows.')
    .version((require('../package.json') as { version: string }).version)
    .showHelpAfterError('(add --help for what there is)');

  const exits = exitsWith(done);
  withServer(reflect.command('run <file>'))
    .description('run a YAML or JSON file that holds a loop, a pipeline or a plan; `-` reads standard input')
    .addOption(repeatable('--state <key=value>', 'a key of the state; JSON where it is JSON, else text'))
    .addOption(repeatable('--state-file <file>', 'a YAML or JSON file with keys of the state'))
    .option('--workflow-id <id>', "the run's id; default: a new one")
    .option('--json', 'print the result as JSON on standard output, and nothing else there')
    .option('--detach', 'start it, print its id, and do not wait')
    .addOption(taskQueue())
    .action(exits(() => (require('./cli/commands/run') as typeof import('./cli/commands/run')).run));

  once(reflect.command('evaluate <file>'), 'data to judge')
    .description('judge data once by a YAML or JSON file that holds an evaluator; exit code 2 when it does not pass')
    .action(
      exits(
        () => (require('./cli/commands/evaluate-correct') as typeof import('./cli/commands/evaluate-correct')).evaluate,
      ),
    );

  once(reflect.command('correct <file>'), 'data to correct')
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

  withServer(reflect.command('calibrate <file>'))
    .description('judge the same outputs several times: how far a judge agrees with itself, and with people')
    .option('--times <n>', 'how often each output is judged', whole, 5)
    .option('--labels <file>', 'a list with a score, true, false or null for each output')
    .option('--json', 'print the figures as JSON')
    .addOption(taskQueue())
    .action(exits(() => (require('./cli/commands/calibrate') as typeof import('./cli/commands/calibrate')).calibrate));

  withServer(reflect.command('worker'))
    .description('serve runs: execute workflows, checks and model calls')
    .addOption(taskQueue())
    .option('--port <port>', 'serve /healthz, /readyz and /metrics there; default: REFLECT_HTTP_PORT, else not', whole)
    .option('--host <address>', 'where --port listens; default: REFLECT_HTTP_HOST, else 127.0.0.1')
    .option('--drain <duration>', 'what calls under way get to finish when it stops; default: REFLECT_DRAIN, else 30s')
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
    .option('--schema-root <dir>', 'whose files the $ref of schemas may name; default: REFLECT_SCHEMA_ROOT, else none')
    .action(exits(() => (require('./cli/worker/worker') as typeof import('./cli/worker/worker')).worker));

  reflect
    .command('server')
    .description('run a Temporal development server with its Web UI')
    .option('--port <port>', "the server's port", whole, 7233)
    .option('--ui-port <port>', "the Web UI's port", whole, 8233)
    .option('--db <file>', 'where runs are kept; default: .reflect/temporal.db in this folder')
    .option('--ephemeral', 'keep runs in memory only')
    .action(exits(() => (require('./cli/commands/server') as typeof import('./cli/commands/server')).server));

  withServer(reflect.command('show <id>'))
    .description('show where a run stands, its versions, nodes or tasks, and its result')
    .option('--json', 'print all of it as JSON')
    .option('--output', 'print the best output, and nothing else')
    .action(exits(() => (require('./cli/show/show') as typeof import('./cli/show/show')).show));

  for (const steering of steeringCommands(done)) {
    reflect.addCommand(withServer(steering.copyInheritedSettings(reflect)));
  }

  withServer(reflect.command('list'))
    .description('list loops, pipelines, plans and populations, the latest first')
    .addOption(
      new Option('--status <status>', 'only these').choices([
        'running',
        'waiting',
        'succeeded',
        'exhausted',
        'aborted',
        'failed',
      ]),
    )
    .option('--limit <n>', 'at most so many', atLeastOne, 20)
    .option('--json', 'print JSON')
    .action(exits(() => (require('./cli/commands/list') as typeof import('./cli/commands/list')).list));

  reflect
    .command('sweep')
    .description('delete stored payloads (REFLECT_STORAGE) that no run has needed for so long')
    .requiredOption('--older-than <duration>', "such as 30d: more than the namespace's retention plus the longest run")
    .option('--namespace <name>', 'only those of this namespace; default: all')
    .option('--force', 'allow less than a day')
    .action(exits(() => (require('./cli/commands/sweep') as typeof import('./cli/commands/sweep')).sweep));

  const groups = [memoryCommands(done), agentsCommands(done, { server: withServer, taskQueue })];
  for (const group of groups) {
    for (const command of group.commands) command.copyInheritedSettings(reflect);
    reflect.addCommand(group.copyInheritedSettings(reflect));
  }

  withServer(reflect.command('doctor'))
    .description('check all that a run needs, and say what to do')
    .option('--fix', 'register the search attributes if they are missing')
    .option('--call', 'really ask the model endpoint')
    .option('--worker <url>', 'where a worker serves its metrics, to see its circuits; default: REFLECT_HTTP_PORT here')
    .addOption(taskQueue())
    .action(exits(() => (require('./cli/commands/doctor') as typeof import('./cli/commands/doctor')).doctor));

  return reflect;
}

/** What `evaluate` and `correct` have in common. */
function once(command: Command, data: string): Command {
  return withServer(command)
    .option('--data <file|json>', `${data}; comes before the file's own; \`-\` reads standard input`)
    .addOption(repeatable('--state <key=value>', 'a key of the state; JSON where it is JSON, else text'))
    .addOption(repeatable('--state-file <file>', 'a YAML or JSON file with keys of the state'))
    .option('--workflow-id <id>', "the run's id; default: a new one")
    .option('--json', 'print the result as JSON on standard output, and nothing else there')
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
