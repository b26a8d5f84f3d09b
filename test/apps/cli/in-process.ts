import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Commands that a test runs in its own process: starting one for each takes a second. */
export class InProcess {
  readonly #folder = mkdtempSync(join(tmpdir(), 'reflect-in-process-'));
  #files = 0;

  constructor(world: { address: string; client: { taskQueue: string } }) {
    process.env['TEMPORAL_ADDRESS'] = world.address;
    process.env['REFLECT_TASK_QUEUE'] = world.client.taskQueue;
  }

  /** A file that holds a text. */
  file(text: string): string {
    this.#files += 1;
    const file = join(this.#folder, `file-${this.#files}.yaml`);
    writeFileSync(file, text);
    return file;
  }

  /** What a command prints, without colours. */
  async printed(command: () => Promise<unknown>): Promise<string> {
    const lines: string[] = [];
    const spy = jest.spyOn(console, 'log').mockImplementation((text: unknown) => void lines.push(String(text)));
    try {
      await command();
    } finally {
      spy.mockRestore();
    }
    return stripVTControlCharacters(lines.join('\n'));
  }

  /** Collects what commands say while they work, without colours, until `stop`. */
  listen(stream: 'stdout' | 'stderr' = 'stdout'): { news(): string; stop(): void } {
    let heard = '';
    const spy = jest.spyOn(process[stream], 'write').mockImplementation((piece) => {
      heard += stripVTControlCharacters(String(piece));
      return true;
    });
    return { news: () => heard, stop: () => spy.mockRestore() };
  }

  close(): void {
    delete process.env['TEMPORAL_ADDRESS'];
    delete process.env['REFLECT_TASK_QUEUE'];
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
