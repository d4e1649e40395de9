import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A port of this machine that forwards each new connection to another port. */
export abstract class Forwarder {
  readonly #server: Server;
  readonly #sockets: Set<Socket> = new Set();

  constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => this.#take(socket));
  }

  /** The port for the next connection; without one, the connection is closed at once. */
  protected abstract next(): number | undefined;

  /** The port, after `listen`. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** Closes all present connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #take(socket: Socket): void {
    this.#keep(socket);
    const target = this.next();
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
