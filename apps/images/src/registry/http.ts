import { RegistryError } from './registry.ts';

/** How often a request may be redirected. */
const mostRedirects = 5;

/** The time limit of a request in milliseconds. */
const requestTimeout = 30_000;

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string;
  /** The body up to the limit. */
  readonly bytes: Uint8Array;
}

/** The limits and headers of a request. */
export interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** The largest body in bytes. */
  readonly maxSize: number;
}

/**
 * Sends a GET request over HTTPS; plain HTTP is used only for loopback addresses. Redirects to another host get no
 * authorization.
 *
 * @throws RegistryError for addresses, redirects and bodies that are refused, and a host that cannot be reached
 */
export async function get(address: URL, { headers, maxSize }: RequestOptions): Promise<Answer> {
  let current = address;
  let sent = headers;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    requireSecure(current);
    const response = await send(current, sent);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) {
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? '',
        bytes: await readBody(response, current, maxSize),
      };
    }
    await response.body?.cancel();
    if (!URL.canParse(location, current.href)) {
      throw refusal(current, 'the answer is a redirect to an invalid address');
    }
    const next = new URL(location, current);
    if (next.origin !== current.origin) {
      const { authorization: _, ...others } = sent;
      sent = others;
      // A host on the network must not lead to one of this machine.
      if (isLoopback(next) && !isLoopback(current))
        throw refusal(next, 'a redirect leads to this machine');
    }
    current = next;
  }
  throw refusal(address, `more than ${mostRedirects} redirects`);
}

async function send(address: URL, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(requestTimeout);
    return await fetch(address, { headers, redirect: 'manual', signal });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw refusal(address, cause instanceof Error ? cause.message : String(cause));
  }
}

async function readBody(response: Response, address: URL, maxSize: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxSize) throw refusal(address, `the body is larger than ${maxSize} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    throw refusal(address, error instanceof Error ? error.message : String(error));
  }
  return Buffer.concat(chunks);
}

/** The address of a registry: HTTPS, and HTTP on this machine. */
export function registryAddress(host: string): URL {
  const name = host === 'index.docker.io' ? 'registry-1.docker.io' : host;
  const plain = new URL(`http://${name}/v2/`);
  return isLoopback(plain) ? plain : new URL(`https://${name}/v2/`);
}

function requireSecure(address: URL): void {
  if (address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address)))
    return;
  throw refusal(address, 'only https:// addresses are allowed');
}

/** Whether an address is on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    /^(?:.+\.)?localhost\.?$/.test(hostname) ||
    /^127(?:\.\d+){3}$/.test(hostname) ||
    ['0.0.0.0', '[::1]', '[::]'].includes(hostname) ||
    /^\[::(?:ffff:)?(?:7f[0-9a-f]{2}:[0-9a-f]+|0:0)\]$/.test(hostname)
  );
}

function refusal({ origin, pathname }: URL, reason: string): RegistryError {
  return new RegistryError(`${origin}${pathname}: ${reason}`);
}
