import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between workers and the server, and does to their connections what networks do. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<{ client: Socket; target: Socket }>();
  #slowUntil = 0;
  #silent = new Set<Socket>();
  #mute = false;

  private constructor(target: number) {
    this.#server = createServer((client) => this.#join(client, connect(target, '127.0.0.1')));
  }

  /** Starts a proxy on a free port of the loopback interface. */
  static async start(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks every connection, as a router that restarts does. */
  resetAll(): void {
    for (const { client, target } of this.#pairs) {
      client.resetAndDestroy();
      target.resetAndDestroy();
    }
  }

  /** Lets nothing through for so long; nothing is lost. */
  delay(ms: number): void {
    this.#slowUntil = Math.max(this.#slowUntil, Date.now() + ms);
  }

  /**
   * Passes nothing on any more on the connections that there are, and closes none of them, as a router that forgot them does.
   *
   * @param alsoNew the same for those that are made later
   */
  silence({ alsoNew = false } = {}): void {
    this.#mute = alsoNew;
    for (const { client, target } of this.#pairs) this.#silent.add(client).add(target);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.resetAll();
    await closed;
  }

  #join(client: Socket, target: Socket): void {
    const pair = { client, target };
    this.#pairs.add(pair);
    if (this.#mute) this.#silent.add(client).add(target);
    const part = (): void => {
      // The other side of a forgotten connection does not hear that this one has gone.
      if (this.#silent.has(client)) return;
      this.#pairs.delete(pair);
      client.destroy();
      target.destroy();
    };
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', part);
      from.on('close', part);
      from.on('data', (piece) => this.#pass(from, to, piece));
    }
  }

  #pass(from: Socket, to: Socket, piece: Buffer): void {
    if (this.#silent.has(from)) return;
    const wait = this.#slowUntil - Date.now();
    if (wait <= 0) {
      to.write(piece);
      return;
    }
    // Paused, so that what comes later cannot overtake this.
    from.pause();
    setTimeout(() => {
      if (!to.destroyed) to.write(piece);
      from.resume();
    }, wait);
  }
}
