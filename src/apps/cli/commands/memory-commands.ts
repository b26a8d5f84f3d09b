import { Command } from 'commander';
import { atLeastOne, exitsWith, json } from '../support/options';
import type { CommandGroup } from '../support/command-group';

const DEFAULT_TENANT = 'default';

function commands(): typeof import('./memory') {
  return require('./memory') as typeof import('./memory');
}

function addSharedOptions(command: Command): Command {
  return command
    .option('--tenant <name>', 'whose insights; runs use the name of their namespace', DEFAULT_TENANT)
    .addOption(json());
}

function memoryCommands(done: (code: number) => void): Command {
  const exits = exitsWith(done);
  const memory = new Command('memory').description(
    'what runs have learned: in PostgreSQL (DATABASE_URL), else in REFLECT_MEMORY_FOLDER, else in .reflect/memory',
  );
  addSharedOptions(memory.command('list'))
    .description('the latest insights first')
    .option('--agent <name>', 'insights of this agent only')
    .option('--limit <count>', 'at most this many insights', atLeastOne, 20)
    .action(exits(() => commands().memoryList));
  addSharedOptions(memory.command('search <words...>'))
    .description('what an agent would recall for these words')
    .requiredOption('--agent <name>', 'who remembers')
    .option('--limit <count>', 'at most this many insights', atLeastOne, 5)
    .action(exits(() => commands().memorySearch));
  addSharedOptions(memory.command('embed'))
    .description('give embeddings (REFLECT_EMBEDDING_MODEL) to insights that have none of that model, the latest first')
    .option('--limit <count>', 'at most this many insights', atLeastOne, 1_000)
    .action(exits(() => commands().memoryEmbed));
  addSharedOptions(memory.command('forget'))
    .description('forget insights; several options narrow the choice')
    .option('--id <id>', 'the insight with this id')
    .option('--agent <name>', 'insights of this agent')
    .option('--older-than <duration>', 'insights that are older, such as 30d')
    .action(exits(() => commands().memoryForget));
  return memory;
}

export const memoryGroup: CommandGroup = {
  create: memoryCommands,
};
