import { pause } from './pause';
import type { Random } from './random';
import type { TcpProxy } from './tcp-proxy';

/** Well below the heartbeat timeout: a slow network must not look like a death. */
const LONGEST_DELAY_MS = 800;

/** Resets and delays the connections of a proxy at moments that the seed decides, until it is told to stop. */
export class NetworkFaults {
  resets = 0;
  delays = 0;
  #stopping = false;

  async run(proxy: TcpProxy, random: Random): Promise<void> {
    while (!this.#stopping) {
      await pause(random.between(500, 6_000));
      if (this.#stopping) return;
      if (random.next() < 0.3) {
        proxy.resetAll();
        this.resets += 1;
      } else {
        proxy.delay(random.between(50, LONGEST_DELAY_MS));
        this.delays += 1;
      }
    }
  }

  stop(): void {
    this.#stopping = true;
  }
}
