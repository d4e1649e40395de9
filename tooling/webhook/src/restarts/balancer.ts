import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Distributes new connections over ports of this machine in turn, as a Service does over its ready endpoints. */
export class Balancer {
  /** The ports that new connections lead to. */
  targets: readonly number[] = [];
  readonly #server: Server;
  readonly #sockets: Set<Socket> = new Set();
  #next = 0;

  constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => this.#take(socket));
  }

  /** The port, after `listen`. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(socket: Socket): void {
    this.#keep(socket);
    const target = this.targets[this.#next++ % Math.max(1, this.targets.length)];
    if (target === undefined) {
      socket.destroy();
      return;
    }
    const other = connect({ port: target, host: '127.0.0.1', noDelay: true });
    this.#keep(other);
    socket.pipe(other).pipe(socket);
    socket.once('close', () => other.destroy());
    other.once('close', () => socket.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
