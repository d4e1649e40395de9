import type { IncomingMessage } from 'node:http';
import type { Limits } from '../configuration/configuration.ts';
import { Refusal } from '../review/refusal.ts';

/** The body bytes that are in memory now, over all requests. */
export class HeldBytes {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts more bytes; false when there would be too many. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Rejects requests that cannot be reviews before their body is read. */
export function checkHead({ headers }: IncomingMessage, limits: Limits): void {
  checkType(headers['content-type'] ?? '');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal(415, 'compressed bodies are not supported');
  }
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge(limits);
}

function checkType(given: string): void {
  // As kube-apiserver writes it.
  if (given === 'application/json') return;
  const [type = '', ...parameters] = given.toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    throw new Refusal(415, 'the content type must be application/json');
  }
  const charset = parameters.find((each) => each.trim().startsWith('charset='))?.trim();
  if (charset !== undefined && !/^charset="?utf-8"?$/.test(charset)) {
    throw new Refusal(415, 'the character set must be UTF-8');
  }
}

/**
 * Reads the body of a request.
 *
 * @throws Refusal when it is too large, or when too much is being read already.
 */
export function readBody(
  request: IncomingMessage,
  limits: Limits,
  held: HeldBytes,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    // Events after the end or after a refusal are ignored.
    const finish = (act: () => void): void => {
      if (isOver) return;
      isOver = true;
      held.give(size);
      act();
    };
    request.on('data', (chunk: Buffer) => {
      if (isOver) return;
      if (!held.take(chunk.length)) {
        finish(() => reject(new Refusal(503, 'too many requests are being read')));
        return;
      }
      size += chunk.length;
      if (size > limits.bodyBytes) finish(() => reject(tooLarge(limits)));
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const [first] = chunks;
      finish(() =>
        resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)),
      );
    });
    const broken = (): void => finish(() => reject(new Refusal(400, 'the body is incomplete')));
    request.on('error', broken);
    request.on('close', broken);
  });
}

function tooLarge({ bodyBytes }: Limits): Refusal {
  return new Refusal(413, `the body is longer than ${bodyBytes} bytes`);
}
