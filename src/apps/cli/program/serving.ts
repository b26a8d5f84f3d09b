import type { Command } from 'commander';
import { withExitCodes } from '../support/exit-codes';
import { type Exits, json, whole } from '../support/options';
import { SERVES, taskQueue, withServer } from './shared-options';

/** Adds the commands that serve until they are stopped, and the trial of what workers notify. */
export function addServingCommands(reflect: Command, exits: Exits): void {
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
