import type { JsonObject } from '@kubeadmit/apimachinery';
import { type DerElement, DerReader, parseReference, quote } from '@kubeadmit/go';
import { addressText, asciiString, isDomainName } from './constraint-values.ts';
import { required, X509Error } from './x509-error.ts';

/** The members that alternative names fill, where there are none. */
export const noAlternativeNames: JsonObject = {
  DNSNames: null,
  EmailAddresses: null,
  IPAddresses: null,
  URIs: null,
};

const [email, dns, uri, address] = [0x81, 0x82, 0x86, 0x87];

/** The alternative names of a subject, by sort (Go's `parseSANExtension`). */
export function readAlternativeNames(value: Uint8Array): JsonObject {
  const names = required(new DerReader(value).open(), 'x509: invalid subject alternative names');
  const read: Record<string, JsonObject[string][] | null> = { ...noAlternativeNames } as never;
  const add = (member: string, name: JsonObject[string]): void => {
    read[member] ??= [];
    read[member].push(name);
  };
  while (!names.isEmpty) {
    const name = required(names.readAny(), 'x509: invalid subject alternative name');
    if (name.tag === email) add('EmailAddresses', ascii(name, 'rfc822Name'));
    if (name.tag === dns) add('DNSNames', ascii(name, 'dNSName'));
    if (name.tag === uri) add('URIs', urlOf(ascii(name, 'uniformResourceIdentifier')));
    if (name.tag === address) add('IPAddresses', addressOf(name));
  }
  return read;
}

function ascii({ content }: DerElement, what: string): string {
  return required(asciiString(content), `x509: SAN ${what} is malformed`);
}

function urlOf(text: string): JsonObject {
  const problem = `x509: cannot parse URI ${quote(text)}`;
  const url = parseReference(text);
  if ('error' in url) throw new X509Error(`${problem}: ${url.error}`);
  if (!isDomainName(url.host)) throw new X509Error(`${problem}: invalid domain`);
  return url.toMembers() as JsonObject;
}

function addressOf({ content }: DerElement): string {
  if (content.length === 4 || content.length === 16) return addressText(content);
  throw new X509Error(`x509: cannot parse IP address of length ${content.length}`);
}
