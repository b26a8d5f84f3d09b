/** Households in a valley that floods: `npx tsx examples/governed-flood/main.ts`. */
import { join } from 'node:path';
import { runFlood } from '../flood/run';

void runFlood({
  name: 'governed-flood',
  agents: join(__dirname, 'agents.yaml'),
  institutions: false,
  households: 16,
});
