import { connect, createServer, type AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** A port that nobody listens on now. Somebody may take it before we do: the caller tries again. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, LOOPBACK, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Whether a program listens on the port, so that ours could not. */
export function isPortInUse(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(true);
      else reject(error);
    });
    probe.listen(port, LOOPBACK, () => probe.close(() => resolve(false)));
  });
}

/** Whether something accepts connections there. Cheaper than a gRPC attempt, whose own retries wait for a second. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
