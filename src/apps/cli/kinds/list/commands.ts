import { memoryGroup } from '../../commands/memory-commands';
import type { CommandGroup } from '../../support/command-group';
import { agentsGroup } from '../agents/agents-commands';
import { batchGroup } from '../batch/batch-commands';

/** Groups of commands, such as `reflect batch …`, in the order of the help: those of kinds of runs, and that of the memory. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [batchGroup, memoryGroup, agentsGroup];
