import { SEARCH_ATTRIBUTE_TYPES } from '../../lib/names/search-attributes';

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

/**
 * A write-ahead log lets a commit append instead of rewriting pages. `synchronous=2` (full) syncs it at every commit:
 * what the server has acknowledged survives a kill and a power cut. (1, `normal`, would be faster and lose the tail.)
 */
const TUNED_PRAGMAS: readonly string[] = ['journal_mode=wal', 'synchronous=2'];

export interface ServerSettings {
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

/**
 * Returns the command line of `temporal` for a server that only this machine can reach, with its metrics on a port if there is
 * one.
 */
export function serverArguments(
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
