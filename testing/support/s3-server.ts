import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/apps/server/ports';
import { runCommand } from '../../src/apps/server/run-command';
import { eventually } from './eventually';

/** Speaks S3's protocol over a folder. Built from Go's module proxy, whose checksums Go compares with its database. */
const SERVER = { module: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.2.0' };
const FETCHED = path.join(__dirname, '..', '..', '.reflect', 'fetched');
const BUILD_MS = 15 * 60_000;

const KEYS = { AWS_ACCESS_KEY_ID: 'tester', AWS_SECRET_ACCESS_KEY: 'no secret' };
const BUCKET = 'payloads';

async function program(): Promise<string> {
  const file = path.join(FETCHED, `versitygw-${SERVER.version}`, 'versitygw');
  if (existsSync(file)) return file;
  const env = { ...process.env, GOBIN: path.dirname(file), CGO_ENABLED: '0' };
  const result = await runCommand('go', ['install', '-trimpath', `${SERVER.module}@${SERVER.version}`], {
    env,
    timeout: BUILD_MS,
  });
  if (!result.ok) throw new Error(`The S3 server of the tests needs Go to be built: ${result.problem}`);
  return file;
}

/** An S3 server with one bucket, on loopback. */
export class S3Server {
  #process: ChildProcess | undefined;

  private constructor(
    private readonly file: string,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<S3Server> {
    const folder = mkdtempSync(path.join(tmpdir(), 'reflect-s3-'));
    mkdirSync(path.join(folder, BUCKET));
    const server = new S3Server(await program(), folder, await freePort());
    await server.begin();
    return server;
  }

  /** For `REFLECT_STORAGE`. */
  get url(): string {
    return `s3://${BUCKET}?region=us-east-1&endpoint=${encodeURIComponent(this.endpoint)}&path-style=true`;
  }

  /** What a process needs to use it. */
  get env(): Record<string, string> {
    return { ...KEYS, REFLECT_STORAGE: this.url };
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The folder that has an object of each key as a file. */
  get objects(): string {
    return path.join(this.folder, BUCKET);
  }

  /** The files of the objects that Temporal's driver made. */
  files(): string[] {
    return readdirSync(this.objects, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
      .map(({ parentPath, name }) => path.join(parentPath, name));
  }

  async begin(): Promise<void> {
    const args = ['--port', `127.0.0.1:${this.port}`, '--access', KEYS.AWS_ACCESS_KEY_ID];
    const more = ['--secret', KEYS.AWS_SECRET_ACCESS_KEY, '--quiet', 'posix', this.folder];
    this.#process = spawn(this.file, [...args, ...more], { stdio: 'ignore' });
    await eventually(
      () =>
        fetch(this.endpoint).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status > 0,
    );
  }

  /** Kills it; `begin` starts it again with what it had. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
