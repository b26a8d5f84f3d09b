import type { Command } from 'commander';
import { withExitCodes } from '../support/exit-codes';
import { type Exits, json } from '../support/options';
import { taskQueue, withServer } from './shared-options';

/** Adds the commands that take care of an installation. */
export function addKeepingCommands(reflect: Command, exits: Exits): void {
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
