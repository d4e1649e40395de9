import { type LookupAddress, lookup } from 'node:dns';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { DownloadError } from './download.ts';

/**
 * The refused addresses: this machine, link-local and multicast addresses, and metadata services of clouds, which return
 * credentials to every process.
 */
const refused = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
] as const) {
  refused.addSubnet(address, bits, 'ipv4');
  // NAT64 and 6to4 lead to the IPv4 address that an IPv6 address contains.
  refused.addSubnet(`64:ff9b::${groupsOf(address)}`, 96 + bits, 'ipv6');
  refused.addSubnet(`2002:${groupsOf(address)}::`, 16 + bits, 'ipv6');
}
for (const [address, bits] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
] as const) {
  refused.addSubnet(address, bits, 'ipv6');
}

/** Formats an IPv4 address as two groups of an IPv6 address. */
function groupsOf(address: string): string {
  return Buffer.from(address.split('.').map(Number)).toString('hex').replace(/.{4}$/, ':$&');
}

/**
 * Returns the connection of a server whose clients choose the hosts: HTTPS to addresses that are not refused. Trusted
 * hosts, each with its port, may have any address and are read by plain HTTP.
 */
export function guardedConnection(trusted: ReadonlySet<string>): Connection {
  // URLs omit the default port.
  const isTrusted = ({ host, protocol, port }: URL): boolean =>
    trusted.has(host) || (protocol === 'http:' && port === '' && trusted.has(`${host}:80`));
  return {
    isTrusted,
    fetch: (url, init) => send(url, init, isTrusted(url) ? undefined : requireAllowed),
  };
}

// The global agents may use a proxy, which would look up hosts without a check.
const plainAgent = new PlainAgent({ keepAlive: true, timeout: 60_000 });
const secureAgent = new SecureAgent({ keepAlive: true, timeout: 60_000 });

/** Checks an address of a host; throws a DownloadError if it is refused. */
type CheckAddress = (host: string, address: string) => void;

/** @throws DownloadError for an address that is not allowed */
function requireAllowed(host: string, address: string): void {
  if (!refused.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return;
  throw new DownloadError(
    `${host} has the address ${address}, which is refused; --allow-insecure-registry ${host} allows it`,
  );
}

async function send(
  url: URL,
  init: RequestInit,
  check: CheckAddress | undefined,
): Promise<Response> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // The address of a host is checked when it is looked up, for this connection; a literal address is not looked up.
  if (isIP(host) !== 0) check?.(url.host, host);
  const answer = await respond(url, init, check);
  const { statusCode = 502, statusMessage = '', headersDistinct } = answer;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const hasBody = ![204, 205, 304].includes(statusCode);
  if (!hasBody) answer.resume();
  const body = hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status: statusCode, statusText: statusMessage, headers });
}

function respond(
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
  check: CheckAddress | undefined,
): Promise<IncomingMessage> {
  const isPlain = url.protocol === 'http:';
  const request = isPlain ? plainRequest : secureRequest;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method,
        agent: isPlain ? plainAgent : secureAgent,
        headers: { 'user-agent': 'kubeadmit', ...(headers as Record<string, string>) },
        ...(signal && { signal }),
        ...(check && { lookup: checkedLookup(url.host, check) }),
      },
      resolve,
    );
    call.on('error', reject);
    call.end(body ?? undefined);
  });
}

/** Looks up all addresses of a host and fails if one of them is not allowed. */
function checkedLookup(name: string, check: CheckAddress): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) {
        done(error, [], 0);
        return;
      }
      try {
        for (const { address } of addresses) check(name, address);
      } catch (refusal) {
        done(refusal as Error, [], 0);
        return;
      }
      const [first = { address: '', family: 0 }] = addresses;
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
