import { memoryGroup } from '../../apps/cli/commands/memory-commands';
import type { CommandGroup } from '../../apps/cli/support/command-group';
import { agentsGroup } from '../agents/cli/agents-commands';
import { batchGroup } from '../batch/cli/batch-commands';

/** Groups of commands, such as `reflect batch …`, in the order of the help: those of kinds of runs, and that of the memory. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [batchGroup, memoryGroup, agentsGroup];
