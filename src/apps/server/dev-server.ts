import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseInUse, PortInUse, TemporalServerFailed } from './errors';
import { accepts, freePort, isPortInUse } from './ports';
import { startProcess, type ProcessExit, type ServerProcess } from './server-process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SEARCH_ATTRIBUTE_TYPES } from '../../lib/names/search-attributes';
import { Connection } from '@temporalio/client';

const DEADLINE = 2_000;

/** Returns whether a Temporal server answers there and has the namespace `default`, which comes up after the port. */
async function canAnswer(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: DEADLINE });
    const { workflowService } = connection;
    await connection.withDeadline(Date.now() + DEADLINE, () =>
      workflowService.describeNamespace({ namespace: 'default' }),
    );
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

/**
 * Settings of the dev server that cut waiting, and why each is safe. All of them were tried on server 1.32, which warns about a
 * value of the wrong type and uses its default. None of them touches what is written, or when it counts as written.
 *
 * - `…MaxPollRPS`: the reader of a history queue may look into the database 20 times a second for each shard, and the dev
 *   server has one shard, so a workflow task waits up to 50 ms for its turn. The limit spares a database that many hosts share.
 *   Here the reader is woken for each new task and reads a local file; it reads more often, not ahead.
 * - `timerProcessorMaxTimeShift`: the timer queue reads up to `now + shift`, and a timer that is created below that mark is
 *   moved past it; so every timer, retry and timeout takes at least 1 s, however short it was. The shift covers clocks that
 *   differ between hosts. Here one host has one clock. Whatever its length, a timer still cannot be missed by the reader: the
 *   server moves it, and holds the mark below tasks that are being written.
 * - `numTaskqueue…Partitions`: a task queue is split in four, so that many hosts can serve it, and a task that is put into one part
 *   is passed on to the part in which a worker waits. Here one host serves all four; one part took a sixth off the processor time
 *   of the server under the tests.
 */
const TUNED_SETTINGS: readonly string[] = [
  'history.transferProcessorMaxPollRPS=5000',
  'history.timerProcessorMaxPollRPS=5000',
  'history.visibilityProcessorMaxPollRPS=5000',
  'history.timerProcessorMaxTimeShift="10ms"',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

/**
 * Settings with which the server informs a worker at once, over a queue of the worker's own, that a call under way is not needed
 * any more. Without them, which is the default of server 1.32, a call learns it with its next heartbeat. They are settings of a
 * namespace; the SDK finds out by itself whether they are on. Older servers warn that they do not know them.
 */
const CANCELLING_SETTINGS: readonly string[] = [
  'frontend.WorkerCommandsEnabled=true',
  'system.enableCancelActivityWorkerCommand=true',
];

/** A log lets a commit append instead of rewriting pages; `synchronous=2` syncs it: what was acknowledged survives. */
const TUNED_PRAGMAS: readonly string[] = ['journal_mode=wal', 'synchronous=2'];

interface ServerSettings {
  /** The file that histories are kept in. Default: in memory, gone with the server. */
  databaseFile?: string;
  /** Registers our four search attributes. Default: true. */
  searchAttributes?: boolean;
  /** False leaves out the settings that cut waiting; for benchmarks. Default: true. */
  tuned?: boolean;
  /** More dynamic configuration, such as `limit.historyCount.suggestContinueAsNew=40`. Default: none. */
  settings?: readonly string[];
  /** Namespaces beside `default`. Default: none. */
  namespaces?: readonly string[];
}

/** The command line of `temporal` for a server that only this machine can reach. */
function serverArguments(
  { databaseFile, searchAttributes = true, tuned = true, settings: more = [], namespaces = [] }: ServerSettings,
  { port, uiPort, metricsPort }: { port: number; uiPort?: number; metricsPort?: number },
): string[] {
  // Giving the attributes again to a database that has them is not an error.
  const attributes = searchAttributes ? Object.entries(SEARCH_ATTRIBUTE_TYPES) : [];
  const settings = [...(tuned ? TUNED_SETTINGS : []), ...CANCELLING_SETTINGS, ...more];
  const pragmas = tuned && databaseFile !== undefined ? TUNED_PRAGMAS : [];
  const start = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'];
  return [
    ...start,
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile]),
    ...(metricsPort === undefined ? [] : ['--metrics-port', String(metricsPort)]),
    ...namespaces.flatMap((namespace) => ['--namespace', namespace]),
    ...attributes.flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
    ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
  ];
}

/** The note that a server on a database file leaves beside it, for the next one that is to use the file. */
interface DatabaseOwner {
  pid: number;
  address: string;
  uiUrl?: string;
}

/**
 * Returns the server that runs on this database file, if one does. Two would fence each other out of the only shard, again and
 * again. A note of a killed server does not count: its process is gone, or does not answer. (Two that start in the same half
 * second can still miss each other.)
 */
async function ownerOf(databaseFile: string): Promise<DatabaseOwner | undefined> {
  try {
    const owner = JSON.parse(await readFile(noteOf(databaseFile), 'utf8')) as DatabaseOwner;
    process.kill(owner.pid, 0);
    return (await canAnswer(owner.address)) ? owner : undefined;
  } catch {
    return undefined;
  }
}

async function forgetOwner(databaseFile: string, pid: number): Promise<void> {
  const note = await readFile(noteOf(databaseFile), 'utf8').catch(() => '{}');
  if ((JSON.parse(note) as Partial<DatabaseOwner>).pid === pid) await rm(noteOf(databaseFile), { force: true });
}

function noteOf(databaseFile: string): string {
  return `${databaseFile}.server.json`;
}

export interface DevServerOptions extends ServerSettings {
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
    await mkdir(dirname(databaseFile), { recursive: true });
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
  if (databaseFile !== undefined) {
    const owner: DatabaseOwner = { pid, address, uiUrl };
    await writeFile(noteOf(databaseFile), JSON.stringify(owner));
  }
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
