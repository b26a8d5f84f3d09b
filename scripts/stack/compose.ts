import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { type Engine, PROJECT, run } from './engine';
import { podmanCompose } from './python';

const FILE = path.join(PROJECT, 'docker-compose.yml');
const NAME = 'reflect-stack';
const PERIOD_MS = 500;

interface Service {
  depends_on?: Record<string, { condition: 'service_healthy' | 'service_completed_successfully' }>;
}

interface Bridge {
  ifname: string;
  address: string;
}

function services(): Record<string, Service> {
  return (parse(readFileSync(FILE, 'utf8')) as { services: Record<string, Service> }).services;
}

/**
 * Gives each bridge the hardware address that it has. Without one of its own, a bridge takes the lowest of its ports', and
 * changes it when containers come and go: those that knew the old one reach neither names nor other networks for half a minute.
 * On most machines udev sees to it.
 */
async function keepBridgeAddresses(): Promise<void> {
  const bridges = JSON.parse(await run(['ip', '-json', 'link', 'show', 'type', 'bridge'])) as Bridge[];
  for (const { ifname, address } of bridges) await run(['ip', 'link', 'set', 'dev', ifname, 'address', address]);
}

/** Our docker-compose.yml, as it is, under podman-compose. */
export class Compose {
  readonly #engine: Engine;
  readonly #program: readonly string[];
  readonly #services: Record<string, Service>;
  /** What a user's `.env` would say. */
  readonly env: Record<string, string>;

  private constructor(engine: Engine, program: readonly string[], env: Record<string, string>) {
    this.#engine = engine;
    this.#program = program;
    this.env = env;
    this.#services = services();
  }

  static async open(engine: Engine, env: Record<string, string>): Promise<Compose> {
    return new Compose(engine, await podmanCompose(), env);
  }

  async compose(args: readonly string[]): Promise<string> {
    const fixed = ['--podman-path', this.#engine.podmanProgram, '--in-pod', 'false', '-p', NAME, '-f', FILE];
    return run([...this.#program, ...fixed, ...args], { env: this.env });
  }

  /** The name of a service's container. */
  container(service: string, number = 1): string {
    return `${NAME}_${service}_${number}`;
  }

  /**
   * Starts every service once what it depends on is as its condition says. This podman has no such conditions, and no
   * timer for health checks, so both are seen to here.
   */
  async up(log: (line: string) => void): Promise<void> {
    const started = new Set<string>();
    while (started.size < Object.keys(this.#services).length) {
      const [next] = Object.entries(this.#services).filter(
        ([name, { depends_on = {} }]) =>
          !started.has(name) && Object.keys(depends_on).every((each) => started.has(each)),
      );
      const [name, { depends_on = {} }] = next!;
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        if (condition === 'service_healthy') await this.healthy(this.container(needed));
        else await this.succeeded(this.container(needed));
      }
      await this.compose(['up', '-d', '--no-build', '--no-deps', name]);
      if (started.size === 0) await keepBridgeAddresses();
      started.add(name);
      log(`${name} is started`);
    }
    for (const name of started) {
      if (!this.#isJob(name)) await this.healthy(this.container(name));
    }
  }

  /** Returns whether a service has work to do and then ends. */
  #isJob(name: string): boolean {
    return Object.values(this.#services).some(
      ({ depends_on }) => depends_on?.[name]?.condition === 'service_completed_successfully',
    );
  }

  /** Runs so many containers of the worker. */
  async scaleWorkers(count: number): Promise<void> {
    await this.compose([
      'up',
      '-d',
      '--no-build',
      '--no-deps',
      '--no-recreate',
      '--scale',
      `worker=${count}`,
      'worker',
    ]);
  }

  /** Starts a worker of another build beside the others, and returns its container's name. */
  async runWorker(buildId: string): Promise<string> {
    const name = `${NAME}_worker_${buildId}`;
    await this.compose(['run', '-d', '--no-deps', '--name', name, '-e', `REFLECT_BUILD_ID=${buildId}`, 'worker']);
    return name;
  }

  /** Runs the container's own health check until it passes. */
  async healthy(container: string, seconds = 90): Promise<void> {
    await this.#until(container, seconds, async () => {
      await this.#engine.podman(['healthcheck', 'run', container]);
      return true;
    });
  }

  /** Waits until a container that has work to do ended well. */
  async succeeded(container: string, seconds = 120): Promise<void> {
    await this.#until(container, seconds, async () => (await this.state(container)) === 'exited 0');
  }

  /** Such as `running 0`, or `exited 137`. */
  async state(container: string): Promise<string> {
    return this.#engine.podman(['inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', container]);
  }

  async addressOf(container: string): Promise<string> {
    const all = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    return this.#engine.podman(['inspect', '--format', all, container]);
  }

  /** The address at which containers reach this machine. */
  async gateway(): Promise<string> {
    const first = '{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}';
    return this.#engine.podman(['inspect', '--format', first, this.container('temporal-db')]);
  }

  async #until(container: string, seconds: number, isSo: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + seconds * 1_000;
    for (;;) {
      const answer = await isSo().catch((error: unknown) => String(error));
      if (answer === true) return;
      if (Date.now() > end) {
        const log = await this.#engine.logs(container, 30).catch(String);
        throw new Error(
          `${container} was not well after ${seconds} s (${await this.state(container).catch(String)}): ${answer}\n${log}`,
        );
      }
      await sleep(PERIOD_MS);
    }
  }
}
