import { quote } from '../quote/quote.ts';
import { cut } from '../text/cut.ts';

/** An IP address. */
export interface Address {
  /** The version of the protocol. */
  readonly family: 4 | 6;
  /** The 32 or 128 bits of the address. */
  readonly bits: bigint;
  /** The zone of an IPv6 address (`fe80::1%eth0`); empty if absent. */
  readonly zone: string;
}

/** The reason why a string is not an IP address, with the message of Go's net/netip. */
export interface AddressError {
  readonly error: string;
}

/** Parses an IP address as Go's `netip.ParseAddr`; never throws for a string. */
export function parseAddress(text: string): Address | AddressError {
  const kind = /[.:%]/.exec(text)?.[0];
  switch (kind) {
    case '.':
      return parseIpv4(text);
    case ':':
      return parseIpv6(text);
    case '%':
      return failure(text, 'missing IPv6 address');
    default:
      return failure(text, 'unable to parse IP');
  }
}

function failure(text: string, reason: string, at: string = ''): AddressError {
  const place = at === '' ? '' : ` (at ${quote(at)})`;
  return { error: `ParseAddr(${quote(text)}): ${reason}${place}` };
}

function parseIpv4(text: string): Address | AddressError {
  const bits = parseOctets(text, text);
  return typeof bits === 'number' ? { family: 4, bits: BigInt(bits), zone: '' } : bits;
}

/** Reads four octets; `whole` is the text that messages name. */
function parseOctets(octets: string, whole: string): number | AddressError {
  let bits = 0;
  let position = 0;
  let value = 0;
  let digits = 0;
  for (let index = 0; index < octets.length; index++) {
    const character = octets.charAt(index);
    if (character >= '0' && character <= '9') {
      if (digits === 1 && value === 0) {
        return failure(whole, 'IPv4 field has octet with leading zero');
      }
      value = value * 10 + Number(character);
      digits++;
      if (value > 255) return failure(whole, 'IPv4 field has value >255');
    } else if (character === '.') {
      const empty = index === 0 || index === octets.length - 1 || octets[index - 1] === '.';
      if (empty) {
        return failure(whole, 'IPv4 field must have at least one digit', octets.slice(index));
      }
      if (position === 3) return failure(whole, 'IPv4 address too long');
      bits = bits * 256 + value;
      position++;
      value = 0;
      digits = 0;
    } else {
      return failure(whole, 'unexpected character', octets.slice(index));
    }
  }
  return position < 3 ? failure(whole, 'IPv4 address too short') : bits * 256 + value;
}

function parseIpv6(text: string): Address | AddressError {
  const [address, zone] = cut(text, '%');
  if (zone === '') return failure(text, 'zone must be a non-empty string');
  const groups = parseGroups(address, text);
  if ('error' in groups) return groups;
  let bits = 0n;
  for (const group of groups) bits = (bits << 16n) | BigInt(group);
  return { family: 6, bits, zone: zone ?? '' };
}

/** Reads the eight groups of an IPv6 address without its zone. */
function parseGroups(address: string, text: string): readonly number[] | AddressError {
  const groups: number[] = [];
  let ellipsis = -1;
  let rest = address;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === '') return [0, 0, 0, 0, 0, 0, 0, 0];
  }
  while (groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return failure(text, 'each group must have 4 or less digits', rest);
    if (digits === '') {
      return failure(text, 'each colon-separated field must have at least one digit', rest);
    }
    if (rest.charAt(digits.length) === '.') {
      const embedded = parseEmbedded(rest, text, groups.length, ellipsis);
      if (typeof embedded !== 'number') return embedded;
      groups.push(Math.floor(embedded / 65536), embedded % 65536);
      rest = '';
      break;
    }
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return failure(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) return failure(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) return failure(text, 'multiple :: in address', rest);
      ellipsis = groups.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  return rest === ''
    ? expandEllipsis(groups, ellipsis, text)
    : failure(text, 'trailing garbage after address', rest);
}

function parseEmbedded(
  rest: string,
  text: string,
  groups: number,
  ellipsis: number,
): number | AddressError {
  if (ellipsis < 0 && groups !== 6) {
    const reason = 'embedded IPv4 address must replace the final 2 fields of the address';
    return failure(text, reason, rest);
  }
  if (groups > 6) {
    const reason = 'too many hex fields to fit an embedded IPv4 at the end of the address';
    return failure(text, reason, rest);
  }
  return parseOctets(rest, text);
}

function expandEllipsis(
  groups: readonly number[],
  ellipsis: number,
  text: string,
): readonly number[] | AddressError {
  const missing = 8 - groups.length;
  if (missing === 0) {
    return ellipsis < 0
      ? groups
      : failure(text, 'the :: must expand to at least one field of zeros');
  }
  if (ellipsis < 0) return failure(text, 'address string too short');
  return [...groups.slice(0, ellipsis), ...Array(missing).fill(0), ...groups.slice(ellipsis)];
}

/** Prints an address in its canonical form, as Go's `Addr.String` (RFC 5952). */
export function formatAddress(address: Address): string {
  if (address.family === 4) return dottedText(address.bits);
  const zone = address.zone === '' ? '' : `%${address.zone}`;
  if (isMappedIpv4(address)) return `::ffff:${dottedText(address.bits)}${zone}`;
  const digits = address.bits.toString(16).padStart(32, '0');
  const groups = digits.match(/.{4}/g)?.map((four) => Number.parseInt(four, 16)) ?? [];
  const zeros = longestZeros(groups);
  const hexadecimal = groups.map((value) => value.toString(16));
  const text =
    zeros.length < 2
      ? hexadecimal.join(':')
      : `${hexadecimal.slice(0, zeros.start).join(':')}::${hexadecimal.slice(zeros.start + zeros.length).join(':')}`;
  return text + zone;
}

/** The lowest 32 bits as an IPv4 address. */
function dottedText(bits: bigint): string {
  const low = Number(bits & 0xffffffffn);
  return [24, 16, 8, 0].map((shift) => (low >> shift) & 0xff).join('.');
}

function longestZeros(groups: readonly number[]): {
  readonly start: number;
  readonly length: number;
} {
  let longest = { start: 0, length: 0 };
  let length = 0;
  for (const [index, value] of groups.entries()) {
    length = value === 0 ? length + 1 : 0;
    if (length > longest.length) longest = { start: index - length + 1, length };
  }
  return longest;
}

/** Whether an IPv6 address stands for an IPv4 one (`::ffff:1.2.3.4`). */
export function isMappedIpv4(address: Address): boolean {
  return address.family === 6 && address.bits >> 32n === 0xffffn;
}

/** Whether an address is 0.0.0.0 or `::`. */
export function isUnspecified(address: Address): boolean {
  return address.bits === 0n && address.zone === '';
}

/** Whether an address is in 127.0.0.0/8, or `::1`. */
export function isLoopback(address: Address): boolean {
  return address.family === 4 ? address.bits >> 24n === 127n : address.bits === 1n;
}

/** Whether an address is in 224.0.0.0/24, or a multicast address of IPv6 with link-local scope. */
export function isLinkLocalMulticast(address: Address): boolean {
  return address.family === 4
    ? address.bits >> 8n === 0xe00000n
    : ((address.bits >> 112n) & 0xff0fn) === 0xff02n;
}

/** Whether an address is in 169.254.0.0/16 or fe80::/10. */
export function isLinkLocalUnicast(address: Address): boolean {
  return address.family === 4 ? address.bits >> 16n === 0xa9fen : address.bits >> 118n === 0x3fan;
}

function isMulticast(address: Address): boolean {
  return address.family === 4 ? address.bits >> 28n === 0xen : address.bits >> 120n === 0xffn;
}

/** Whether an address is neither unspecified, loopback, multicast, link-local nor the broadcast address of IPv4. */
export function isGlobalUnicast(address: Address): boolean {
  return (
    !(address.family === 4 && address.bits === 0xffffffffn) &&
    !isUnspecified(address) &&
    !isLoopback(address) &&
    !isMulticast(address) &&
    !isLinkLocalUnicast(address)
  );
}
