import { type Command, Option } from 'commander';
import type { ExitMeanings } from '../support/exit-codes';
import { json, repeatable } from '../support/options';

export const JUDGED: ExitMeanings = {
  success: 'its result is good enough',
  error: 'an error, or the run failed',
  notGoodEnough: 'the run ended without a result that is good enough',
};

export const SERVES: ExitMeanings = {
  success: 'it was told to stop (Ctrl-C), and stopped',
  interrupted: 'Ctrl-C again, before it had stopped',
};

export function once(command: Command, data: string): Command {
  return withServer(command)
    .option('--data <file|json>', `${data}; comes before the file's own; \`-\` reads standard input`)
    .addOption(repeatable('--state <key=value>', 'a key of the state; JSON where it is JSON, else text'))
    .addOption(repeatable('--state-file <file>', 'a YAML or JSON file with keys of the state'))
    .option('--workflow-id <id>', "the run's id; default: a new one")
    .addOption(strict())
    .addOption(local())
    .addOption(json())
    .addOption(taskQueue());
}

export function withServer(command: Command): Command {
  return command
    .option('--address <host:port>', 'the Temporal server; default: TEMPORAL_ADDRESS, else 127.0.0.1:7233')
    .option('--namespace <name>', 'default: TEMPORAL_NAMESPACE, else default');
}

export function local(): Option {
  const what = 'start a Temporal server and a worker for this command alone; both end with it';
  return new Option('--local', what).conflicts(['address', 'namespace', 'detach']);
}

export function strict(): Option {
  return new Option('--strict', 'take warnings about files and their items for mistakes, and run nothing');
}

export function taskQueue(): Option {
  return new Option('--task-queue <name>', 'default: REFLECT_TASK_QUEUE, else reflection');
}
