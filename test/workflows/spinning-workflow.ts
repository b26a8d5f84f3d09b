/** Workflow code with the mistake that the guard is for, for a worker of its own. */
import { sleep } from '@temporalio/workflow';
import { progressGuard } from '../../src/workflows/shared/progress-guard';

/** Turns for ever in microtasks. */
export async function spins(): Promise<never> {
  const turn = progressGuard('A test');
  for (;;) {
    turn(['the same']);
    await Promise.resolve();
  }
}

/** Waits in each turn, and changes nothing. */
export async function waits(turns: number): Promise<number> {
  const turn = progressGuard('A test');
  for (let done = 0; done < turns; done += 1) {
    turn(['the same']);
    await sleep(1);
  }
  return turns;
}
