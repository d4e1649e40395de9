import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/**
 * The connections of a server and the requests under way on them.
 *
 * Node counts connections that never sent a byte as busy, and does not end them when a server closes.
 */
export class Connections {
  readonly #sockets: Set<Socket> = new Set();
  readonly #open: Set<ServerResponse> = new Set();
  #isClosing = false;
  #emptied: (() => void) | undefined;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.#begin(response);
    });
  }

  /** How many connections there are. */
  get count(): number {
    return this.#sockets.size;
  }

  #begin(response: ServerResponse): void {
    if (this.#isClosing) response.setHeader('Connection', 'close');
    this.#open.add(response);
    response.on('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#emptied?.();
    });
  }

  /** From now on, every answer is the last one on its connection. */
  close(): void {
    this.#isClosing = true;
    for (const response of this.#open) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /**
   * Waits until all requests are answered, and ends all connections then; bodies that take longer than
   * `milliseconds` to arrive are given up.
   */
  async finish(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const { req: request } of this.#open) if (!request.complete) request.destroy();
    }, milliseconds);
    if (this.#open.size > 0) {
      await new Promise<void>((resolve) => {
        this.#emptied = resolve;
      });
    }
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
  }
}
