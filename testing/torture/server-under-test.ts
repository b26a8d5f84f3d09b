import { type DevServer, startDevServer } from '../../src/apps/server';
import { pause } from './pause';
import type { KillRecord } from './record';

const START_ATTEMPTS = 5;

/** A server on a database file, which can be killed and comes back at the same port with the same file. */
export class ServerUnderTest {
  readonly #options: { cli: string; databaseFile: string };
  #server: DevServer;

  private constructor(options: { cli: string; databaseFile: string }, server: DevServer) {
    this.#options = options;
    this.#server = server;
  }

  static async start(options: { cli: string; databaseFile: string }): Promise<ServerUnderTest> {
    return new ServerUnderTest(options, await startDevServer(options));
  }

  get address(): string {
    return this.#server.address;
  }

  get port(): number {
    return Number(this.address.split(':')[1]);
  }

  /** SIGKILL, a pause, and a new process on the same file. */
  async killAndRestart(pauseMs: number): Promise<KillRecord> {
    const at = Date.now();
    const { port } = this;
    process.kill(this.#server.pid, 'SIGKILL');
    await this.#server.exited;
    await pause(pauseMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#server = await startDevServer({ ...this.#options, port });
        return { what: 'server', at, until: Date.now() };
      } catch (error) {
        if (attempt === START_ATTEMPTS) throw error;
        await pause(500);
      }
    }
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}
