import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/** Passes connections on to where the target is at that moment: a container has another address after each start. */
export async function forward(
  place: { host: string; port?: number },
  target: () => Promise<{ host: string; port: number }>,
): Promise<{ server: Server; port: number }> {
  const server = createServer((from) => {
    from.on('error', () => from.destroy());
    target().then(
      (address) => {
        const to = connect(address.port, address.host);
        from.pipe(to).pipe(from);
        for (const socket of [from, to]) socket.on('error', () => [from, to].forEach((each) => each.destroy()));
        from.once('close', () => to.destroy());
        to.once('close', () => from.destroy());
      },
      () => from.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(place.port ?? 0, place.host, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}
