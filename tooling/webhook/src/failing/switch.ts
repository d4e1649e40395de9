import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A port whose connections lead somewhere else at every moment, or nowhere, and can be cut. */
export class Switch {
  /** The port of this machine that new connections lead to; without one, they are closed at once. */
  target: number | undefined;
  readonly #server: Server;
  readonly #sockets: Set<Socket> = new Set();

  constructor(target?: number) {
    this.target = target;
    this.#server = createServer((socket) => this.#take(socket));
  }

  /** The port, after `listen`. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** Leads elsewhere from now on; connections that are there are cut. */
  lead(target: number | undefined): void {
    this.target = target;
    this.cut();
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #take(socket: Socket): void {
    this.#keep(socket);
    if (this.target === undefined) {
      socket.destroy();
      return;
    }
    const other = connect(this.target, '127.0.0.1');
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
