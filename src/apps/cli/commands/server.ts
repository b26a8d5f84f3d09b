import pc from 'picocolors';
import { defaultCacheDirectory, defaultDatabaseFile, findTemporalCli, startDevServer } from '../../server';
import { DatabaseInUse, type DevServer, PortInUse } from '../../server';
import { CliError } from '../support/cli-error';
import { connect } from '../support/connect';
import { printText, printAside, writeJson } from '../terminal/say';
import { onInterrupt } from '../support/interrupts';

interface ServerOptions {
  port: number;
  uiPort: number;
  db?: string;
  ephemeral?: boolean;
  json?: boolean;
}

export async function server({ port, uiPort, db, ephemeral, json }: ServerOptions): Promise<number> {
  const databaseFile = ephemeral ? undefined : (db ?? defaultDatabaseFile());
  const { path: cli } = await findTemporalCli({
    cacheDirectory: defaultCacheDirectory(),
    onProgress: printAside,
  });
  let started: DevServer;
  try {
    started = await startDevServer({ cli, port, ui: uiPort, databaseFile });
  } catch (error) {
    if (error instanceof DatabaseInUse) return alreadyThere(json, error.server.address, error.server.uiUrl);
    if (error instanceof PortInUse && error.port === port && (await isTemporal(port)))
      return alreadyThere(json, `127.0.0.1:${port}`);
    if (!(error instanceof PortInUse)) throw error;
    const option = error.port === port ? '--port' : '--ui-port';
    throw new CliError(
      'PortInUse',
      `Port ${error.port} is in use by another program.`,
      `Stop that program, or choose another port with ${option}.`,
    );
  }
  const { address, uiUrl } = started;
  if (json) writeJson({ address, uiUrl, database: databaseFile ?? null, alreadyRunning: false });
  else {
    printText(`Temporal server at ${pc.bold(address)}`);
    printText(`Web UI at ${pc.bold(uiUrl)}`);
    printText(
      databaseFile === undefined ? 'In memory: runs are gone when it ends.' : `Runs are kept in ${databaseFile}`,
    );
    printText('Ctrl-C ends it. Next: npx reflect worker');
  }
  return untilStopped(started);
}

async function untilStopped(started: DevServer): Promise<number> {
  let asked = false;
  const stopListening = onInterrupt(() => {
    asked = true;
    void started.stop();
  });
  const { code, signal } = await started.exited;
  // Called again, it waits for what is left to tidy up.
  await started.stop();
  stopListening();
  if (asked) return 0;
  throw new CliError(
    'TemporalServerFailed',
    `The Temporal server ended by itself (${signal ?? `code ${code}`}).`,
    'Start it again; its database is kept.',
  );
}

function alreadyThere(json: boolean | undefined, address: string, uiUrl?: string): number {
  if (json) writeJson({ address, uiUrl: uiUrl ?? null, alreadyRunning: true });
  else
    printText(
      `A Temporal server already runs at ${pc.bold(address)}${uiUrl === undefined ? '' : `, its Web UI at ${pc.bold(uiUrl)}`}`,
    );
  return 0;
}

async function isTemporal(port: number): Promise<boolean> {
  try {
    await (await connect({ address: `127.0.0.1:${port}` })).close();
    return true;
  } catch {
    return false;
  }
}
