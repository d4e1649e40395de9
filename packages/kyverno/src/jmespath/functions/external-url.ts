import { quote } from '@kubeadmit/go/internal';
import { Failure } from '../failure.ts';
import { functionFailure } from './errors.ts';

const privateNetworks: readonly RegExp[] = [
  /^127\./,
  /^10\./,
  /^192\.168\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
];

/** Whether a URL's host is an address outside loopback and private networks; names are not resolved here. */
export function isExternalUrl(text: string): boolean | Failure {
  const problem = urlProblem(text);
  if (problem !== undefined) return new Failure(`parse ${quote(text)}: ${problem}`);
  const host = hostOf(text);
  if (isIpv4(host)) return !privateNetworks.some((network) => network.test(host));
  const groups = host.includes(':') ? ipv6Groups(host) : undefined;
  if (groups !== undefined) return isExternalIpv6(groups);
  if (host === '') return new Failure('lookup : no such host');
  return functionFailure(
    'is_external_url',
    `the name ${quote(host)} cannot be resolved without a network`,
  );
}

function urlProblem(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  const withoutFragment = text.split('#')[0] ?? '';
  if (withoutFragment.startsWith(':')) return 'missing protocol scheme';
  const rest = withoutFragment.replace(/^[a-zA-Z][\w+.-]*:/, '').split('?')[0] ?? '';
  const escape = /%(?![\da-fA-F]{2})[\s\S]{0,2}/.exec(rest);
  if (escape !== null) return `invalid URL escape ${quote(escape[0])}`;
  if (rest === withoutFragment && /^[^/]*:/.test(rest))
    return 'first path segment in URL cannot contain colon';
  const authority = /^\/\/([^/]*)/.exec(rest)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[') && !host.includes(']')) return "missing ']' in host";
  const port = /:([^:\]]*)$/.exec(host.startsWith('[') ? host.slice(host.indexOf(']')) : host)?.[1];
  if (port !== undefined && !/^\d*$/.test(port))
    return `invalid port ${quote(`:${port}`)} after host`;
  return host.includes(' ') ? 'invalid character " " in host name' : undefined;
}

function hostOf(text: string): string {
  const authority = /^(?:[a-zA-Z][\w+.-]*:)?\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'));
  return host.replace(/:\d*$/, '');
}

function isIpv4(host: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(host);
}

function ipv6Groups(host: string): readonly number[] | undefined {
  if (!/^[\da-fA-F:]+$/.test(host)) return undefined;
  const halves = host.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  if (groups.some((group) => !/^[\da-fA-F]{1,4}$/.test(group))) return undefined;
  return groups.map((group) => Number.parseInt(group, 16));
}

function isExternalIpv6(groups: readonly number[]): boolean {
  const isLoopback = groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1;
  const isPrivate = ((groups[0] ?? 0) & 0xfe00) === 0xfc00;
  return !isLoopback && !isPrivate;
}
