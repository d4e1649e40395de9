import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  type DerElement,
  DerReader,
  encodeBase64,
  parseAddress,
  quote,
  quoteBytes,
} from '@kubeadmit/go';
import { addressText, asciiString, isDomainConstraint, isMailbox } from './constraint-values.ts';
import { required, X509Error } from './x509-error.ts';

const problem = 'x509: invalid NameConstraints extension';
const [email, dns, uri, address] = [0x81, 0x82, 0x86, 0x87];

/** Which names an authority may sign, by sort, and whether all sorts are known (`parseNameConstraintsExtension`). */
export function readNameConstraints(value: Uint8Array): {
  readonly members: JsonObject;
  readonly isHandled: boolean;
} {
  const outer = new DerReader(value);
  const fields = required(outer.open(), problem);
  const permitted = optional(fields, 0xa0);
  const excluded = optional(fields, 0xa1);
  if (!outer.isEmpty || !fields.isEmpty) throw new X509Error(problem);
  if (permitted.isEmpty && excluded.isEmpty) {
    throw new X509Error('x509: empty name constraints extension');
  }
  const [first, second] = [readSubtrees(permitted), readSubtrees(excluded)];
  return {
    members: {
      ...named('Permitted', first),
      ...named('Excluded', second),
    },
    isHandled: first.isHandled && second.isHandled,
  };
}

function optional(fields: DerReader, tag: number): DerReader {
  if (!fields.isNext(tag)) return new DerReader(new Uint8Array());
  return required(fields.open(tag), problem);
}

interface Subtrees {
  readonly domains: string[];
  readonly ranges: JsonObject[];
  readonly emails: string[];
  readonly uris: string[];
  readonly isHandled: boolean;
}

function named(prefix: string, { domains, ranges, emails, uris }: Subtrees): JsonObject {
  const some = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null);
  return {
    [`${prefix}DNSDomains`]: some(domains),
    [`${prefix}IPRanges`]: some(ranges),
    [`${prefix}EmailAddresses`]: some(emails),
    [`${prefix}URIDomains`]: some(uris),
  };
}

function readSubtrees(list: DerReader): Subtrees {
  const read = {
    domains: [] as string[],
    ranges: [] as JsonObject[],
    emails: [] as string[],
    uris: [] as string[],
    isHandled: true,
  };
  while (!list.isEmpty) {
    const name = required(required(list.open(), problem).readAny(), problem);
    if (name.tag === dns) read.domains.push(domainOf(name, 'dnsName'));
    else if (name.tag === address) read.ranges.push(rangeOf(name));
    else if (name.tag === email) read.emails.push(emailOf(name));
    else if (name.tag === uri) read.uris.push(uriDomainOf(name));
    else read.isHandled = false;
  }
  return read;
}

function ascii({ content }: DerElement): string {
  const text = asciiString(content);
  if (text !== undefined) return text;
  const shown = quoteBytes(content);
  throw new X509Error(
    `x509: invalid constraint value: x509: ${shown} cannot be encoded as an IA5String`,
  );
}

function domainOf(name: DerElement, sort: string): string {
  const domain = ascii(name);
  if (isDomainConstraint(domain)) return domain;
  throw new X509Error(`x509: failed to parse ${sort} constraint ${quote(domain)}`);
}

function emailOf(name: DerElement): string {
  const text = ascii(name);
  if (!text.includes('@')) return domainOf(name, 'rfc822Name');
  if (isMailbox(text)) return text;
  throw new X509Error(`x509: failed to parse rfc822Name constraint ${quote(text)}`);
}

function uriDomainOf(name: DerElement): string {
  const domain = ascii(name);
  if (!('error' in parseAddress(domain))) {
    const reason = 'cannot be IP address';
    throw new X509Error(`x509: failed to parse URI constraint ${quote(domain)}: ${reason}`);
  }
  return domainOf(name, 'URI');
}

/** A range as Go's `net.IPNet` in JSON. */
function rangeOf({ content }: DerElement): JsonObject {
  const { length } = content;
  if (length !== 8 && length !== 32) {
    throw new X509Error(`x509: IP constraint contained value of length ${length}`);
  }
  const mask = content.subarray(length / 2);
  const bits = [...mask].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  if (/01/.test(bits)) {
    const shown = [...mask].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    throw new X509Error(`x509: IP constraint contained invalid mask ${shown}`);
  }
  return { IP: addressText(content.subarray(0, length / 2)), Mask: encodeBase64(mask) };
}
