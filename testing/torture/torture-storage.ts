import { S3Server } from '../support/s3-server';
import { pause } from './pause';
import type { KillRecord } from './record';

/** Payloads of so many bytes are stored: nearly all of them, since those of torture loops are small. */
const THRESHOLD_BYTES = '512';

/** An S3 server that this process, and those that it starts, keep their payloads on. It can be killed, and comes back with what it had. */
export class TortureStorage {
  private constructor(private readonly server: S3Server) {}

  static async start(): Promise<TortureStorage> {
    const server = await S3Server.start();
    Object.assign(process.env, server.env, { REFLECT_STORAGE_THRESHOLD: THRESHOLD_BYTES });
    return new TortureStorage(server);
  }

  /** SIGKILL, a pause, and a new process on the same folder. */
  async killAndRestart(pauseMs: number): Promise<KillRecord> {
    const at = Date.now();
    await this.server.kill();
    await pause(pauseMs);
    await this.server.begin();
    return { what: 'storage', at, until: Date.now() };
  }

  /** Number of objects. */
  get objects(): number {
    return this.server.files().length;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}
