import { type RequestOptions, request } from 'node:https';

/** What a server answered. */
export interface Answer {
  readonly code: number;
  readonly body: unknown;
  /** The texts of its `Warning` headers. */
  readonly warnings: readonly string[];
}

/** A running kube-apiserver with a certificate of its own making. */
export class Server {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  async get(path: string): Promise<unknown> {
    const { code, body } = await this.#send('GET', path, undefined);
    if (code !== 200) throw new Error(`${path}: ${code}`);
    return body;
  }

  post(path: string, object: unknown): Promise<Answer> {
    return this.#send('POST', path, JSON.stringify(object));
  }

  #send(method: string, path: string, text: string | undefined): Promise<Answer> {
    const options: RequestOptions = {
      method,
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
    };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#address), options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: code = 0, headers } = response;
          const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
          resolve({ code, body, warnings: warningsIn(String(headers['warning'] ?? '')) });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }
}

/** The texts of a `Warning` header such as `299 - "one", 299 - "two"`. */
function warningsIn(header: string): string[] {
  const quoted = header.matchAll(/\b299 - "((?:[^"\\]|\\.)*)"/g);
  return [...quoted].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
