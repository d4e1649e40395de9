import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Identity } from '../certificates/identity.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';

/** The certificate of a listener and the client authorities that it trusts. */
type ListenerIdentity = Pick<Identity, 'serving' | 'clientAuthorities'>;

/** The maximum of concurrent streams per connection, as in kube-apiserver. */
const streamsPerConnection = 1000;
const headerBytes = 16 * 1024;
/** The time for a TLS handshake, the headers and the complete request, as in kube-apiserver. */
const headersMilliseconds = 32_000;
const requestMilliseconds = 60_000;
/** The time after which a connection without requests is closed, as in kube-apiserver. */
const idleMilliseconds = 90_000;

/** Listens for HTTPS: HTTP/2 where the client offers it, as client-go does, and HTTP/1.1 otherwise. */
export class Listener {
  readonly #server: Http2SecureServer;
  readonly #connections = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(
    identity: ListenerIdentity,
    answer: (request: HttpRequest, response: HttpResponse) => void,
  ) {
    this.#server = createSecureServer(
      {
        ...secureContext(identity),
        allowHTTP1: true,
        requestCert: true,
        // The API refuses invalid client certificates, not TLS.
        rejectUnauthorized: false,
        maxHeaderSize: headerBytes,
        handshakeTimeout: headersMilliseconds,
        maxSessionMemory: 1000,
        settings: { maxConcurrentStreams: streamsPerConnection },
      } as Parameters<typeof createSecureServer>[0],
      answer,
    );
    // This kind of server ignores the options of these names.
    Object.assign(this.#server, {
      headersTimeout: headersMilliseconds,
      requestTimeout: requestMilliseconds,
      keepAliveTimeout: idleMilliseconds,
    });
    this.#server.on('secureConnection', (socket) => {
      this.#connections.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.#connections.delete(socket));
    });
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy());
      closeWhenIdle(session);
    });
    // The client does not use TLS, or disconnected during the handshake.
    this.#server.on('tlsClientError', (_, socket) => socket.destroy());
  }

  /** Starts listening and returns the port. */
  listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Uses another certificate for new connections; existing ones keep theirs. */
  renew(identity: ListenerIdentity): void {
    this.#server.setSecureContext(secureContext(identity));
  }

  /** Accepts no new connections and closes the existing ones, at once or when their requests are answered. */
  async close(graceMilliseconds: number): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const session of this.#sessions) session.close();
    const timer = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
    }, graceMilliseconds);
    await closed;
    clearTimeout(timer);
  }
}

/** Closes a connection of HTTP/2 that has had no stream for a while. */
function closeWhenIdle(session: ServerHttp2Session): void {
  let open = 0;
  const close = (): void => session.close();
  let timer = setTimeout(close, idleMilliseconds);
  session.on('stream', (stream) => {
    open++;
    clearTimeout(timer);
    stream.once('close', () => {
      open--;
      if (open > 0 || session.closed) return;
      timer = setTimeout(close, idleMilliseconds);
    });
  });
  session.once('close', () => clearTimeout(timer));
}

function secureContext({ serving, clientAuthorities }: ListenerIdentity): SecureContextOptions {
  return {
    cert: serving.certificate,
    key: serving.key,
    ca: [...clientAuthorities],
    allowPartialTrustChain: true,
  };
}
