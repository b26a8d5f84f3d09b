/** Households, a government and an insurer in a valley that floods: `npx tsx examples/multi-agent-flood/main.ts`. */
import { join } from 'node:path';
import { runFlood } from '../flood/run';

void runFlood({
  name: 'multi-agent-flood',
  agents: join(__dirname, 'agents.yaml'),
  institutions: true,
  households: 16,
});
