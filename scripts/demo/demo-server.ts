import { connectOrStart, defaultDatabaseFile, PortInUse } from '../../src/apps/server';
import type { ReachedServer } from '../../src/apps/server/connect-or-start';

/** Ports of `npx reflect server`, so that the run's link stays good when it is opened again with that. */
const USUAL = { port: 7233, ui: 8233 };

/** The demo's server, with the command that opens its runs again once the demo has stopped it. */
export interface DemoServer extends ReachedServer {
  reopen: string | undefined;
}

/** Uses the server that `TEMPORAL_ADDRESS` names or that serves this folder's database already; else starts one. */
export async function demoServer(onProgress: (message: string) => void): Promise<DemoServer> {
  const databaseFile = defaultDatabaseFile();
  const start = (ports: { port?: number; ui: number | true }) => connectOrStart({ databaseFile, onProgress, ...ports });
  try {
    return reopenable(await start(USUAL));
  } catch (error) {
    if (!(error instanceof PortInUse)) throw error;
    onProgress(`Port ${error.port} is in use: the demo's server takes others.`);
    return reopenable(await start({ ui: true }));
  }
}

function reopenable(server: ReachedServer): DemoServer {
  if (!server.started) return { ...server, reopen: undefined };
  const [port, uiPort] = [portOf(server.address), portOf(server.uiUrl ?? '')];
  const options = [
    ...(port === USUAL.port ? [] : [`--port ${port}`]),
    ...(uiPort === USUAL.ui ? [] : [`--ui-port ${uiPort}`]),
  ];
  return { ...server, reopen: ['npx reflect server', ...options].join(' ') };
}

function portOf(url: string): number {
  return Number(/:(\d+)$/.exec(url)?.[1]);
}
