import Table from 'cli-table3';
import { historyBytes } from './measure';
import { judged } from './speed';
import { benchWorld, LOOPS } from './world';

const OUTPUT_BYTES = 10_000;

/** Bytes of histories by the number of iterations, as a table. */
export async function sizes(): Promise<string> {
  const world = await benchWorld({ tuned: true, outputBytes: OUTPUT_BYTES });
  const head = ['iterations of 10 KB', 'judged by', 'history bytes', '× outputs', 'a iteration', 'events'];
  const table = new Table({ head, style: { head: [] } });
  const { taskQueue, type } = LOOPS.ours;
  for (const by of ['model', 'schema'] as const) {
    for (const iterations of [3, 10, 30, 100]) {
      const { bytes, events } = await historyBytes(world.client, taskQueue, type, judged(by, iterations));
      const share = (bytes / (iterations * OUTPUT_BYTES)).toFixed(2);
      table.push([iterations, by, bytes, share, Math.round(bytes / iterations), events]);
    }
  }
  await world.close();
  return table.toString();
}
