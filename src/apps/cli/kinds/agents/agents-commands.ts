import { Argument, Command } from 'commander';
import { ReflectionTrigger } from '../../../../kinds/agents/base/defaults';
import { exitsWith, json, repeatable, whole } from '../../support/options';
import type { CommandGroup, SharedOptions } from '../../support/command-group';

function commands(): typeof import('./agents') {
  return require('./agents') as typeof import('./agents');
}

function agentsCommands(done: (code: number) => void, shared: SharedOptions): Command {
  const exits = exitsWith(done);
  const agents = new Command('agents').description('populations of agents that reflect on events');
  const add = (name: string): Command => shared.server(agents.command(name)).addOption(json());
  add('start <file>')
    .description('start the population of a YAML or JSON file: `agents:`, and `config:` or `global_config:`')
    .option('--workflow-id <id>', "the run's id; default: a new one")
    .addOption(shared.taskQueue())
    .action(exits(() => commands().agentsStart));
  add('trigger <id>')
    .description('tell a population what happened, and see who reflects')
    .addArgument(new Argument('<kind>', 'what happened').choices(Object.values(ReflectionTrigger)))
    .requiredOption('--year <n>', 'when it happened', whole)
    .option('--agent <id>', 'the one agent that it concerns; a decision needs it')
    .option('--id <id>', 'id of the event; an event that was taken before does nothing')
    .addOption(
      repeatable(
        '--context <key=value>',
        'a key of the context, such as description="the river rose" or decision=relocate',
      ),
    )
    .action(exits(() => commands().agentsTrigger));
  add('reflections <id>')
    .description('who reflected, when, on what, and with what insight')
    .option('--agent <id>', 'reflections of this agent only')
    .action(exits(() => commands().agentsReflections));
  add('finish <id>')
    .description('end a population, and print its report')
    .action(exits(() => commands().agentsFinish));
  return agents;
}

export const agentsGroup: CommandGroup = {
  create: agentsCommands,
};
