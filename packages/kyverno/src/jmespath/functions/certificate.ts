import type { JsonObject } from '@kubeadmit/apimachinery';
import { decodeBase64, encodeBase64 } from '@kubeadmit/go';
import {
  type Asn1Element,
  Asn1Error,
  childrenOf,
  readElements,
  toIdentifier,
  toInteger,
  toText,
  toTime,
} from '@kubeadmit/go/internal';
import { Failure } from '../failure.ts';

const rsa = '1.2.840.113549.1.1.1';

/** Signature algorithms by Go's numbers (`x509.SignatureAlgorithm`). */
const signatureAlgorithms: ReadonlyMap<string, number> = new Map([
  ['1.2.840.113549.1.1.2', 1],
  ['1.2.840.113549.1.1.4', 2],
  ['1.2.840.113549.1.1.5', 3],
  ['1.2.840.113549.1.1.11', 4],
  ['1.2.840.113549.1.1.12', 5],
  ['1.2.840.113549.1.1.13', 6],
]);

/** Members of names by the last arc of their type, and whether there may be several. */
const nameMembers: ReadonlyMap<number, readonly [string, 'one' | 'many']> = new Map([
  [3, ['CommonName', 'one']],
  [5, ['SerialNumber', 'one']],
  [6, ['Country', 'many']],
  [7, ['Locality', 'many']],
  [8, ['Province', 'many']],
  [9, ['StreetAddress', 'many']],
  [10, ['Organization', 'many']],
  [11, ['OrganizationalUnit', 'many']],
  [17, ['PostalCode', 'many']],
]);

/** Extended key usages by Go's numbers, after `1.3.6.1.5.5.7.3.`. */
const extendedUsages: ReadonlyMap<string, number> = new Map([
  ['2.5.29.37.0', 0],
  ['1.3.6.1.5.5.7.3.1', 1],
  ['1.3.6.1.5.5.7.3.2', 2],
  ['1.3.6.1.5.5.7.3.3', 3],
  ['1.3.6.1.5.5.7.3.4', 4],
  ['1.3.6.1.5.5.7.3.8', 8],
  ['1.3.6.1.5.5.7.3.9', 9],
]);

/** Members of a certificate that these functions do not read, as Go leaves them. */
const unread: JsonObject = {
  CRLDistributionPoints: null,
  ExcludedDNSDomains: null,
  ExcludedEmailAddresses: null,
  ExcludedIPRanges: null,
  ExcludedURIDomains: null,
  ExtraExtensions: null,
  InhibitAnyPolicy: 0,
  InhibitAnyPolicyZero: false,
  InhibitPolicyMapping: 0,
  InhibitPolicyMappingZero: false,
  IssuingCertificateURL: null,
  OCSPServer: null,
  PermittedDNSDomains: null,
  PermittedDNSDomainsCritical: false,
  PermittedEmailAddresses: null,
  PermittedIPRanges: null,
  PermittedURIDomains: null,
  Policies: null,
  PolicyIdentifiers: null,
  PolicyMappings: null,
  RequireExplicitPolicy: 0,
  RequireExplicitPolicyZero: false,
  UnhandledCriticalExtensions: null,
};

/**
 * An RSA certificate in PEM as the object that Kyverno's `x509_decode` makes of it.
 *
 * @param serialOf the number that is shown for a serial number, of which only 64 bits may count.
 */
export function decodeCertificate(
  pem: string,
  serialOf: (serial: bigint) => number = Number,
): JsonObject | Failure {
  const block = /-----BEGIN ([^-\n]+)-----\s*\n([\s\S]*?)-----END \1-----/.exec(pem);
  const bytes = decodeBase64((block?.[2] ?? '').replaceAll(/\s/g, ''));
  if (block === null || 'error' in bytes) return new Failure('failed to decode PEM block');
  if (block[1] === 'CERTIFICATE REQUEST') {
    return new Failure('certificate requests are not supported by x509_decode');
  }
  if (block[1] !== 'CERTIFICATE') {
    return new Failure('PEM block neither contains a CERTIFICATE or CERTIFICATE REQUEST');
  }
  try {
    return readCertificate(bytes, serialOf);
  } catch (problem) {
    if (problem instanceof Asn1Error) return new Failure('x509: malformed certificate');
    throw problem;
  }
}

function readCertificate(
  bytes: Uint8Array,
  serialOf: (serial: bigint) => number,
): JsonObject | Failure {
  const [certificate] = readElements(bytes);
  const [body, algorithm, signature] = childrenOf(certificate);
  const fields = [...childrenOf(body)];
  const version = fields[0]?.tag === 0xa0 ? fields.shift() : undefined;
  const [serial, , issuer, validity, subject, keyInfo, ...rest] = fields;
  const [keyAlgorithm, keyBits] = childrenOf(keyInfo);
  if (identifierText(childrenOf(keyAlgorithm)[0]) !== rsa) {
    return new Failure('certificate should use rsa algorithm');
  }
  const [key] = readElements(required(keyBits).content.subarray(1));
  const [modulus, exponent] = childrenOf(key);
  const [notBefore, notAfter] = childrenOf(validity);
  const list = rest.find(({ tag }) => tag === 0xa3);
  const extensions =
    list === undefined ? [] : childrenOf(childrenOf(list, 0xa3)[0]).map(readExtension);
  return {
    ...unread,
    ...readExtensions(extensions),
    Extensions: extensions.map(({ id, isCritical, value }) => ({
      Id: id,
      Critical: isCritical,
      Value: encodeBase64(value),
    })),
    Issuer: readName(required(issuer)),
    NotAfter: toTime(required(notAfter)),
    NotBefore: toTime(required(notBefore)),
    PublicKey: {
      N: String(toInteger(required(modulus))),
      E: Number(toInteger(required(exponent))),
    },
    PublicKeyAlgorithm: 1,
    Raw: encodeBase64(bytes),
    RawIssuer: encodeBase64(required(issuer).raw),
    RawSubject: encodeBase64(required(subject).raw),
    RawSubjectPublicKeyInfo: encodeBase64(required(keyInfo).raw),
    RawTBSCertificate: encodeBase64(required(body).raw),
    SerialNumber: serialOf(toInteger(required(serial))),
    Signature: encodeBase64(required(signature).content.subarray(1)),
    SignatureAlgorithm: signatureAlgorithms.get(identifierText(childrenOf(algorithm)[0])) ?? 0,
    Subject: readName(required(subject)),
    Version:
      version === undefined ? 1 : Number(toInteger(required(readElements(version.content)[0]))) + 1,
  };
}

function required(element: Asn1Element | undefined): Asn1Element {
  if (element === undefined) throw new Asn1Error('missing element');
  return element;
}

function identifierText(element: Asn1Element | undefined): string {
  return toIdentifier(required(element)).join('.');
}

function readName(element: Asn1Element): JsonObject {
  const name: JsonObject = { ExtraNames: null, Names: null };
  for (const [member, how] of nameMembers.values()) name[member] = how === 'one' ? '' : null;
  const all: JsonObject[] = [];
  for (const part of childrenOf(element).flatMap((set) => childrenOf(set, 0x31))) {
    const [type, value] = childrenOf(part);
    const id = toIdentifier(required(type));
    const text = toText(required(value));
    all.push({ Type: id, Value: text });
    const member =
      id.length === 4 && id[0] === 2 && id[1] === 5 ? nameMembers.get(id[3] ?? 0) : undefined;
    if (member === undefined) continue;
    const before = name[member[0]];
    name[member[0]] = member[1] === 'one' ? text : [...(Array.isArray(before) ? before : []), text];
  }
  return { ...name, ...(all.length > 0 && { Names: all }) };
}

interface Extension {
  readonly id: readonly number[];
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

function readExtension(element: Asn1Element): Extension {
  const [id, ...rest] = childrenOf(element);
  return {
    id: toIdentifier(required(id)),
    isCritical: rest[0]?.tag === 0x01 && rest[0].content[0] !== 0,
    value: required(rest.at(-1)).content,
  };
}

function readExtensions(extensions: readonly Extension[]): JsonObject {
  const read: JsonObject = {
    AuthorityKeyId: null,
    BasicConstraintsValid: false,
    DNSNames: null,
    EmailAddresses: null,
    ExtKeyUsage: null,
    IPAddresses: null,
    IsCA: false,
    KeyUsage: 0,
    MaxPathLen: 0,
    MaxPathLenZero: false,
    SubjectKeyId: null,
    URIs: null,
    UnknownExtKeyUsage: null,
  };
  for (const { id, value } of extensions) {
    const [element] = readElements(value);
    if (id.length !== 4 || id.slice(0, 3).join('.') !== '2.5.29') continue;
    if (id[3] === 14) read['SubjectKeyId'] = encodeBase64(required(element).content);
    if (id[3] === 15) read['KeyUsage'] = keyUsage(required(element).content);
    if (id[3] === 17) Object.assign(read, alternativeNames(childrenOf(element)));
    if (id[3] === 19) Object.assign(read, basicConstraints(childrenOf(element)));
    if (id[3] === 35) read['AuthorityKeyId'] = authorityKey(childrenOf(element));
    if (id[3] === 37) {
      const usages = childrenOf(element).map((usage) => extendedUsages.get(identifierText(usage)));
      read['ExtKeyUsage'] = usages.filter((usage) => usage !== undefined);
    }
  }
  return read;
}

/** Bit n of the usage, counted from the first, is bit n of the number. */
function keyUsage(content: Uint8Array): number {
  let usage = 0;
  for (let bit = 0; bit < 9; bit++) {
    if (((content[1 + (bit >> 3)] ?? 0) >> (7 - (bit & 7))) & 1) usage |= 1 << bit;
  }
  return usage;
}

function basicConstraints(parts: readonly Asn1Element[]): JsonObject {
  const length = parts.find(({ tag }) => tag === 0x02);
  const most = length === undefined ? -1 : Number(toInteger(length));
  return {
    BasicConstraintsValid: true,
    IsCA: parts[0]?.tag === 0x01 && parts[0].content[0] !== 0,
    MaxPathLen: most,
    MaxPathLenZero: most === 0,
  };
}

function authorityKey(parts: readonly Asn1Element[]): string | null {
  const key = parts.find(({ tag }) => tag === 0x80);
  return key === undefined ? null : encodeBase64(key.content);
}

function alternativeNames(names: readonly Asn1Element[]): JsonObject {
  const of = (tag: number): readonly Asn1Element[] => names.filter((name) => name.tag === tag);
  const some = (texts: readonly string[]): readonly string[] | null =>
    texts.length > 0 ? texts : null;
  return {
    DNSNames: some(of(0x82).map(toText)),
    EmailAddresses: some(of(0x81).map(toText)),
    IPAddresses: some(of(0x87).map(({ content }) => addressText(content))),
  };
}

function addressText(bytes: Uint8Array): string {
  if (bytes.length !== 16) return [...bytes].join('.');
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  ).join(':');
  const runs = [...groups.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].map(([run]) => run);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === ''
    ? groups
    : groups
        .replace(longest, ':')
        .replace(/^:(?!:)|:$/, '::')
        .replace(':::', '::');
}
