import { setTimeout as sleep } from 'node:timers/promises';

import { forgetOwner, noteOwner, ownerOf, prepareFolder } from './database-owner';
import { DatabaseInUse, PortInUse, TemporalServerFailed } from './errors';
import { accepts, freePort, isPortInUse } from './ports';
import { canAnswer } from './readiness';
import { startProcess, type ProcessExit, type ServerProcess } from './server-process';
import { serverArguments, type ServerSettings } from './server-settings';

export interface DevServerOptions extends ServerSettings {
  /** The Temporal CLI, from `findTemporalCli`. */
  cli: string;
  /** Default: a free one. */
  port?: number;
  /** The Web UI: its port, or true for a free one. Default: no UI. */
  ui?: boolean | number;
  /** Serves the server's own metrics, in Prometheus' format, on a free port. Default: false. */
  metrics?: boolean;
  /** The server's warnings are appended to this file. Default: kept only for the message of an early end. */
  logFile?: string;
  /** False lets this process end, and the server with it, while the server runs. Default: true. */
  keepAlive?: boolean;
  /** Milliseconds until a server that does not answer is given up. Default: 30 s. */
  startTimeout?: number;
}

export interface DevServer {
  address: string;
  uiUrl?: string;
  metricsUrl?: string;
  pid: number;
  /** Settles when the server has ended, for whatever reason. Never rejects. */
  exited: Promise<ProcessExit>;
  /**
   * Ends the server. With a database file: SIGTERM, and SIGKILL after 5 s. In memory: SIGKILL, because a gentle end
   * takes 1.2 s and there is nothing to save. Can be called again.
   */
  stop: () => Promise<void>;
}

const PORT_ATTEMPTS = 3;

/** The server broke down while it started. */
class ServerPanicked extends TemporalServerFailed {}

/**
 * Starts Temporal's dev server with the namespace `default`, reachable from this machine only, and returns when it
 * answers. It ends with this process at the latest, however this process ends (see `startProcess`).
 * @throws PortInUse, DatabaseInUse, or TemporalServerFailed with the last lines of its output.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { databaseFile } = options;
  if (databaseFile !== undefined) {
    const owner = await ownerOf(databaseFile);
    if (owner !== undefined) throw new DatabaseInUse(databaseFile, owner);
    await prepareFolder(databaseFile);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Between finding a free port and using it, another process took it. A requested port is not exchanged.
      const taken = error instanceof PortInUse && error.port !== options.port && error.port !== options.ui;
      // For the ports of its inner services the server does the same, and panics when it loses the race.
      const again = taken || error instanceof ServerPanicked;
      if (!again || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startOnce(options: DevServerOptions): Promise<DevServer> {
  const { cli, databaseFile, startTimeout = 30_000, metrics = false } = options;
  const port = await usablePort(options.port);
  const uiPort = options.ui ? await usablePort(options.ui === true ? undefined : options.ui) : undefined;
  const metricsPort = metrics ? await freePort() : undefined;
  const server = startProcess(cli, serverArguments(options, { port, uiPort, metricsPort }), options);
  await waitUntilReady(server, port, startTimeout);

  const pid = server.pid!;
  const address = `127.0.0.1:${port}`;
  const uiUrl = uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`;
  if (databaseFile !== undefined) await noteOwner(databaseFile, { pid, address, uiUrl });
  return {
    address,
    uiUrl,
    metricsUrl: metricsPort === undefined ? undefined : `http://127.0.0.1:${metricsPort}/metrics`,
    pid,
    exited: server.exited,
    stop: async () => {
      await server.stop(databaseFile === undefined ? 'at once' : 'gently');
      if (databaseFile !== undefined) await forgetOwner(databaseFile, pid);
    },
  };
}

async function usablePort(wanted: number | undefined): Promise<number> {
  if (wanted === undefined) return freePort();
  // Asked before the start: afterwards, an answer on the port could come from the other program.
  if (await isPortInUse(wanted)) throw new PortInUse(wanted);
  return wanted;
}

async function waitUntilReady(server: ServerProcess, port: number, timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!server.hasExited()) {
    if ((await accepts(port)) && (await canAnswer(`127.0.0.1:${port}`)) && !server.hasExited()) return;
    if (performance.now() > deadline) {
      await server.stop();
      throw new TemporalServerFailed(
        `The Temporal server did not answer within ${timeout / 1000} s`,
        server.lastOutput(),
      );
    }
    await Promise.race([sleep(20), server.exited]);
  }
  const output = server.lastOutput();
  const taken = /can't set (?:frontend|UI) port (\d+)|listen tcp \S+:(\d+): bind: address already in use/.exec(output);
  if (taken !== null) throw new PortInUse(Number(taken[1] ?? taken[2]));
  const { code, signal } = await server.exited;
  const how = code === null && signal === null ? 'could not be started' : `ended at once (${signal ?? `code ${code}`})`;
  const panic = server.panic();
  if (panic !== undefined) throw new ServerPanicked(`The Temporal server ${how}: ${panic}`, output);
  throw new TemporalServerFailed(`The Temporal server ${how}`, output);
}
