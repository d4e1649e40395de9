import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const quietMilliseconds = 250;
// From the beginning of a new connection to its first request, at most.
const firstMilliseconds = 1_000;
const acceptMilliseconds = 100;
const checkMilliseconds = 20;
const mostIdleMilliseconds = 2_000;

/** An HTTP or HTTPS connection, and since when it has no request. */
interface Open {
  readonly socket: Socket;
  /** The responses in progress on it. */
  readonly responses: ServerResponse[];
  /** By `performance.now()`. */
  idleSince: number;
  wasUsed: boolean;
}

/**
 * The connections of a server and the requests in progress on them.
 *
 * Node counts connections that never sent a byte as busy, and does not close them when a server closes.
 */
export class Connections {
  // One list per connection, mostly of one response or none. One set of all responses would make garbage collection
  // slow: a set that grows and shrinks all the time gets ever new tables, and V8 chains the old ones to the new, so
  // that a single one that grew old keeps all later ones, with the requests in them, until all memory is gone through.
  readonly #open: Map<Socket, Open> = new Map();
  readonly #sockets: Set<Socket> = new Set();
  #requests = 0;
  #lastAccepted = 0;
  #isDraining = false;
  #emptied: (() => void) | undefined;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      this.#lastAccepted = performance.now();
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('secureConnection', (socket: Socket) => this.#openOf(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#begin(request.socket, response);
    });
  }

  /** The number of open connections. */
  get count(): number {
    return this.#sockets.size;
  }

  #begin(socket: Socket, response: ServerResponse): void {
    if (this.#isDraining) response.setHeader('Connection', 'close');
    const open = this.#openOf(socket);
    const { responses } = open;
    responses.push(response);
    open.wasUsed = true;
    this.#requests++;
    response.on('close', () => {
      responses.splice(responses.indexOf(response), 1);
      open.idleSince = performance.now();
      this.#requests--;
      if (this.#requests === 0) this.#emptied?.();
    });
  }

  // The TLS socket; the event `connection` has the one below it.
  #openOf(socket: Socket): Open {
    const known = this.#open.get(socket);
    if (known !== undefined) return known;
    const made: Open = { socket, responses: [], idleSince: performance.now(), wasUsed: false };
    this.#open.set(socket, made);
    socket.once('close', () => this.#open.delete(socket));
    return made;
  }

  /** Makes every later answer the last one on its connection (`Connection: close`). */
  drain(): void {
    this.#isDraining = true;
    for (const response of this.#underWay()) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /** Waits until no new connection has arrived for a moment: unaccepted connections are lost with the listener. */
  async settle(): Promise<void> {
    const until = performance.now() + mostIdleMilliseconds;
    for (;;) {
      await sleep(checkMilliseconds);
      const now = performance.now();
      if (now - this.#lastAccepted > acceptMilliseconds || now > until) return;
    }
  }

  /**
   * Waits until all requests are answered, then closes every connection; gives up on bodies that take longer than
   * `milliseconds` to arrive.
   */
  async finish(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const { req: request } of this.#underWay()) if (!request.complete) request.destroy();
    }, milliseconds);
    await this.#closeIdle();
    if (this.#requests > 0) {
      await new Promise<void>((resolve) => {
        this.#emptied = resolve;
      });
    }
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  // A request that is sent while its connection is closed is lost. So a connection is closed only when it has been
  // idle for a while; a connection in use is closed by its next answer.
  async #closeIdle(): Promise<void> {
    const until = performance.now() + mostIdleMilliseconds;
    for (;;) {
      const now = performance.now();
      const idle = [...this.#open.values()].filter(({ responses }) => responses.length === 0);
      const quiet = idle.filter(
        ({ idleSince, wasUsed }) =>
          now - idleSince >= (wasUsed ? quietMilliseconds : firstMilliseconds),
      );
      for (const { socket } of quiet) socket.end();
      const isShakingHands =
        this.#sockets.size > this.#open.size && now - this.#lastAccepted < firstMilliseconds;
      if ((quiet.length === idle.length && !isShakingHands) || now > until) return;
      await sleep(checkMilliseconds);
    }
  }

  #underWay(): readonly ServerResponse[] {
    return [...this.#open.values()].flatMap(({ responses }) => responses);
  }
}
