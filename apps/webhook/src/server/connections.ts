import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/**
 * The connections of a server and the requests under way on them.
 *
 * Node counts connections that never sent a byte as busy, and does not end them when a server closes.
 */
export class Connections {
  // A list a connection, mostly of one response or none. One set of all responses would make garbage collection slow:
  // a set that grows and shrinks all the time gets ever new tables, and V8 chains the old ones to the new, so that a
  // single one that grew old keeps all later ones, with the requests in them, until all memory is gone through.
  readonly #responses: Map<Socket, ServerResponse[]> = new Map();
  readonly #sockets: Set<Socket> = new Set();
  #open = 0;
  #isClosing = false;
  #emptied: (() => void) | undefined;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#begin(request.socket, response);
    });
  }

  /** How many connections there are. */
  get count(): number {
    return this.#sockets.size;
  }

  #begin(socket: Socket, response: ServerResponse): void {
    if (this.#isClosing) response.setHeader('Connection', 'close');
    const others = this.#responsesOn(socket);
    others.push(response);
    this.#open++;
    response.on('close', () => {
      others.splice(others.indexOf(response), 1);
      this.#open--;
      if (this.#open === 0) this.#emptied?.();
    });
  }

  // The socket of TLS, whereas Node tells of the one below it when there is a connection.
  #responsesOn(socket: Socket): ServerResponse[] {
    const known = this.#responses.get(socket);
    if (known !== undefined) return known;
    const made: ServerResponse[] = [];
    this.#responses.set(socket, made);
    socket.once('close', () => this.#responses.delete(socket));
    return made;
  }

  /** From now on, every answer is the last one on its connection. */
  close(): void {
    this.#isClosing = true;
    for (const response of this.#underWay()) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /**
   * Waits until all requests are answered, and ends all connections then; bodies that take longer than
   * `milliseconds` to arrive are given up.
   */
  async finish(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const { req: request } of this.#underWay()) if (!request.complete) request.destroy();
    }, milliseconds);
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        this.#emptied = resolve;
      });
    }
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  #underWay(): readonly ServerResponse[] {
    return [...this.#responses.values()].flat();
  }
}
