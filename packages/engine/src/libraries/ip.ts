import type { CelError, Library, Type, Value } from '@kubeadmit/cel';
import { type FunctionRow, functionsOf } from '@kubeadmit/cel/declarations';
import { opaqueType } from '@kubeadmit/cel/types';
import { noOverload } from '@kubeadmit/cel/values';
import {
  type Address,
  formatAddress,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMappedIpv4,
  isUnspecified,
  parseAddress,
  quote,
} from '@kubeadmit/go';
import { NetworkValue, networkReader, textFunctions } from './network-value.ts';

/** The type of IP addresses in CEL. */
export const ipType: Type = opaqueType('net.IP');

/** Whether two addresses without zones are the same. */
export function isSameAddress(left: Address, right: Address): boolean {
  return left.family === right.family && left.bits === right.bits;
}

export class IpValue extends NetworkValue {
  readonly goType: string = 'cel.IP';
  readonly address: Address;
  #text: string | undefined;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  get type(): Type {
    return ipType;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof IpValue ? isSameAddress(this.address, other.address) : noOverload();
  }

  override text(): string {
    this.#text ??= formatAddress(this.address);
    return this.#text;
  }

  override get costSize(): number {
    return this.address.family === 4 ? 4 : 16;
  }
}

/** `ip(text)`: an address without zone that is not IPv4 in IPv6. */
export const ipOfText: (text: string) => IpValue | CelError = networkReader((text) => {
  const address = parseAddress(text);
  if ('error' in address) {
    return `IP Address ${quote(text)} parse error during conversion from string: ${address.error}`;
  }
  if (address.zone !== '') return `IP address ${quote(text)} with zone value is not allowed`;
  return isMappedIpv4(address)
    ? `IPv4-mapped IPv6 address ${quote(text)} is not allowed`
    : new IpValue(address);
});

function test(name: string, id: string, holds: (address: Address) => boolean): FunctionRow {
  return [name, id, 'IP.() -> bool', ({ address }: IpValue) => holds(address)];
}

/**
 * IP addresses (apiserver pkg/cel/library/ip.go).
 *
 * - `ip("::1").family()` is 6; `string(ip("2001:DB8::1"))` is `"2001:db8::1"`.
 * - `isIP("1.2.3.256")` is false; `ip.isCanonical("2001:DB8::1")` is false.
 * - `ip("127.0.0.1").isLoopback()` is true.
 */
export const ipLibrary: Library = {
  name: 'kubernetes.net.ip',
  functions: functionsOf(
    [
      ...textFunctions(
        'IP',
        { read: 'ip', test: 'isIP' },
        { read: 'string_to_ip', test: 'is_ip', print: 'ip_to_string' },
        ipOfText,
      ),
      ['family', 'ip_family', 'IP.() -> int', ({ address }: IpValue) => address.family],
      [
        'ip.isCanonical',
        'ip_is_canonical',
        '(string) -> bool',
        (text: string) => {
          const value = ipOfText(text);
          return value instanceof IpValue ? value.text() === text : value;
        },
      ],
      test('isUnspecified', 'ip_is_unspecified', isUnspecified),
      test('isLoopback', 'ip_is_loopback', isLoopback),
      test('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
      test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
      test('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
    ],
    { IP: ipType },
  ),
  types: [ipType],
};
