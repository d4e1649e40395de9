import type { CelError, Library, Type, Value } from '@kubeadmit/cel';
import { functionsOf } from '@kubeadmit/cel/declarations';
import { opaqueType } from '@kubeadmit/cel/types';
import { noOverload } from '@kubeadmit/cel/values';
import {
  formatPrefix,
  isMappedIpv4,
  maskPrefix,
  type Prefix,
  parsePrefix,
  prefixContainsAddress,
  prefixContainsPrefix,
  quote,
} from '@kubeadmit/go';
import { IpValue, ipOfText, ipType, isSameAddress } from './ip.ts';
import { NetworkValue, networkReader, textFunctions } from './network-value.ts';

/** The type of network addresses in CEL. */
const cidrType: Type = opaqueType('net.CIDR');

export class CidrValue extends NetworkValue {
  readonly goType: string = 'cel.CIDR';
  readonly prefix: Prefix;

  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }

  get type(): Type {
    return cidrType;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof CidrValue
      ? this.prefix.length === other.prefix.length &&
          isSameAddress(this.prefix.address, other.prefix.address)
      : noOverload();
  }

  override text(): string {
    return formatPrefix(this.prefix);
  }

  /** The bytes of the network, the last of which may be incomplete. */
  override get costSize(): number {
    return Math.ceil(this.prefix.length / 8);
  }
}

const context = 'network address parse error during conversion from string: ';

const cidrOfText = networkReader((text) => {
  const prefix = parsePrefix(text);
  // kube-apiserver adds the context twice.
  if ('error' in prefix) return context + context + prefix.error;
  return isMappedIpv4(prefix.address)
    ? `${context}IPv4-mapped IPv6 address ${quote(text)} is not allowed`
    : new CidrValue(prefix);
});

function containsIp({ prefix }: CidrValue, ip: IpValue): Value {
  return prefixContainsAddress(prefix, ip.address);
}

function containsIpText(cidr: CidrValue, text: string): Value {
  const ip = ipOfText(text);
  return ip instanceof IpValue ? containsIp(cidr, ip) : noOverload();
}

function containsCidr({ prefix }: CidrValue, other: CidrValue): Value {
  return prefixContainsPrefix(prefix, other.prefix);
}

/** A function of two networks of which the second is given as its text. */
export function containsCidrText(contains: (cidr: CidrValue, other: CidrValue) => Value) {
  return (cidr: CidrValue, text: string): Value => {
    const other = cidrOfText(text);
    return other instanceof CidrValue ? contains(cidr, other) : other;
  };
}

/** The definition of containment in Kubernetes 1.31: networks that start at the same address and are not larger. */
export function containsFirstCidr({ prefix }: CidrValue, { prefix: other }: CidrValue): Value {
  return isSameAddress(maskPrefix(prefix).address, other.address) && prefix.length <= other.length;
}

/**
 * Network addresses (apiserver pkg/cel/library/cidr.go).
 *
 * - `cidr("10.0.0.0/8").containsIP("10.1.2.3")` is true; so is `containsCIDR("10.1.0.0/16")`.
 * - `string(cidr("10.1.2.3/8").masked())` is `"10.0.0.0/8"`; `cidr("::/64").prefixLength()` is 64.
 */
export const cidrLibrary: Library = {
  name: 'kubernetes.net.cidr',
  functions: functionsOf(
    [
      ...textFunctions(
        'CIDR',
        { read: 'cidr', test: 'isCIDR' },
        { read: 'string_to_cidr', test: 'is_cidr', print: 'cidr_to_string' },
        cidrOfText,
      ),
      ['containsIP', 'cidr_contains_ip_string', 'CIDR.(string) -> bool', containsIpText],
      ['containsIP', 'cidr_contains_ip_ip', 'CIDR.(IP) -> bool', containsIp],
      [
        'containsCIDR',
        'cidr_contains_cidr_string',
        'CIDR.(string) -> bool',
        containsCidrText(containsCidr),
      ],
      ['containsCIDR', 'cidr_contains_cidr', 'CIDR.(CIDR) -> bool', containsCidr],
      ['ip', 'cidr_ip', 'CIDR.() -> IP', ({ prefix }: CidrValue) => new IpValue(prefix.address)],
      [
        'prefixLength',
        'cidr_prefix_length',
        'CIDR.() -> int',
        ({ prefix }: CidrValue) => prefix.length,
      ],
      [
        'masked',
        'cidr_masked',
        'CIDR.() -> CIDR',
        ({ prefix }: CidrValue) => new CidrValue(maskPrefix(prefix)),
      ],
    ],
    { CIDR: cidrType, IP: ipType },
  ),
  types: [cidrType],
};
