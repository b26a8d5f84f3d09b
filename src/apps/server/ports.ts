import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';

async function listenOnce(port: number): Promise<number> {
  const probe = createServer().listen(port, LOOPBACK);
  await once(probe, 'listening');
  const { port: found } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return found;
}

/** Finds a port that no process listens on now. Another process may take it before we do: the caller tries again. */
export async function freePort(): Promise<number> {
  return listenOnce(0);
}

export async function isPortInUse(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return true;
    throw error;
  }
}

/** Returns whether something accepts connections there. Cheaper than a gRPC attempt, whose own retries wait for a second. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, LOOPBACK);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
