import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  DerReader,
  decodeUtf8Leniently,
  derTags,
  encodeBase64,
  type IdentifierArc,
  identifierArcs,
} from '@kubeadmit/go';
import { areSmall } from '@kubeadmit/go/unstable-internal';
import { noAlternativeNames, readAlternativeNames } from './alternative-names.ts';
import { readNameConstraints } from './name-constraints.ts';
import { required, requiredInt64, X509Error } from './x509-error.ts';

/** An extension of a certificate, or a requested one. */
export interface Extension {
  readonly id: string;
  readonly arcs: readonly number[];
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

/** An extension (Go's `parseExtension`). */
export function readExtension(reader: DerReader): Extension {
  const arcs = required(reader.readIdentifier(), 'x509: malformed extension OID field');
  const isCritical = reader.isNext(derTags.boolean)
    ? required(reader.readBoolean(), 'x509: malformed extension critical field')
    : false;
  const value = required(reader.read(derTags.octets), 'x509: malformed extension value field');
  return { id: arcs.join('.'), arcs, isCritical, value: value.content };
}

/** An extension as Go writes it in JSON. */
export function extensionMembers({ arcs, isCritical, value }: Extension): JsonObject {
  return { Id: [...arcs], Critical: isCritical, Value: encodeBase64(value) };
}

/** The fields that extensions set, if none of them exists. */
const none: JsonObject = {
  AuthorityKeyId: null,
  BasicConstraintsValid: false,
  CRLDistributionPoints: null,
  ExcludedDNSDomains: null,
  ExcludedEmailAddresses: null,
  ExcludedIPRanges: null,
  ExcludedURIDomains: null,
  ExtKeyUsage: null,
  InhibitAnyPolicy: 0,
  InhibitAnyPolicyZero: false,
  InhibitPolicyMapping: 0,
  InhibitPolicyMappingZero: false,
  IsCA: false,
  IssuingCertificateURL: null,
  KeyUsage: 0,
  MaxPathLen: 0,
  MaxPathLenZero: false,
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
  SubjectKeyId: null,
  UnhandledCriticalExtensions: null,
  UnknownExtKeyUsage: null,
  ...noAlternativeNames,
};

/** Reads an extension, or returns `undefined` if Go does not know it completely. */
type ReadExtension = (extension: Extension) => JsonObject | undefined;

/** The members of a certificate that its extensions fill (Go's `processExtensions`). */
export function readExtensions(extensions: readonly Extension[]): JsonObject {
  const read: JsonObject = { ...none };
  const unhandled: (readonly number[])[] = [];
  for (const extension of extensions) {
    const members = readers.get(extension.id)?.(extension);
    const { isHandled = members !== undefined, ...known } = members ?? {};
    Object.assign(read, known);
    if (extension.isCritical && isHandled === false) unhandled.push(extension.arcs);
  }
  if (unhandled.length > 0)
    read['UnhandledCriticalExtensions'] = unhandled.map((arcs) => [...arcs]);
  return read;
}

const readers: ReadonlyMap<string, ReadExtension> = new Map<string, ReadExtension>([
  ['2.5.29.14', subjectKey],
  ['2.5.29.15', keyUsage],
  ['2.5.29.17', alternativeNames],
  ['2.5.29.19', basicConstraints],
  ['2.5.29.30', nameConstraints],
  ['2.5.29.31', distributionPoints],
  ['2.5.29.32', policies],
  ['2.5.29.33', policyMappings],
  ['2.5.29.35', authorityKey],
  ['2.5.29.36', policyConstraints],
  ['2.5.29.37', extendedKeyUsage],
  ['2.5.29.54', inhibitAnyPolicy],
  ['1.3.6.1.5.5.7.1.1', authorityAccess],
]);

function subjectKey({ isCritical, value }: Extension): JsonObject {
  if (isCritical) throw new X509Error('x509: subject key identifier incorrectly marked critical');
  const key = required(
    new DerReader(value).read(derTags.octets),
    'x509: invalid subject key identifier',
  );
  return { SubjectKeyId: encodeBase64(key.content) };
}

/** Bit n of the usage, counted from the first, is bit n of the number. */
function keyUsage({ value }: Extension): JsonObject {
  const bits = required(new DerReader(value).readBits(), 'x509: invalid key usage');
  let usage = 0;
  for (let bit = 0; bit < Math.min(9, bits.length); bit++) {
    if (((bits.bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) usage |= 1 << bit;
  }
  return { KeyUsage: usage };
}

function alternativeNames({ value }: Extension): JsonObject {
  const names = readAlternativeNames(value);
  return { ...names, isHandled: Object.values(names).some((list) => list !== null) };
}

function basicConstraints({ value }: Extension): JsonObject {
  const problem = 'x509: invalid basic constraints';
  const fields = required(new DerReader(value).open(), problem);
  const isAuthority = fields.isNext(derTags.boolean)
    ? required(fields.readBoolean(), problem)
    : false;
  const length = fields.isNext(derTags.integer)
    ? requiredInt64(fields.readInteger(), problem)
    : undefined;
  if (length !== undefined && length < 0n) throw new X509Error(problem);
  return {
    BasicConstraintsValid: true,
    IsCA: isAuthority,
    MaxPathLen: Number(length ?? -1n),
    MaxPathLenZero: length === 0n,
  };
}

function nameConstraints({ isCritical, value }: Extension): JsonObject {
  const { members, isHandled } = readNameConstraints(value);
  return { ...members, PermittedDNSDomainsCritical: isCritical, isHandled };
}

function distributionPoints({ value }: Extension): JsonObject {
  const problem = 'x509: invalid CRL distribution point';
  const points = required(new DerReader(value).open(), `${problem}s`);
  const urls: string[] = [];
  while (!points.isEmpty) {
    const point = required(points.open(), problem);
    if (!point.isNext(0xa0)) continue;
    const names = required(required(point.open(0xa0), problem).open(0xa0), problem);
    while (names.isNext(0x86)) {
      urls.push(decodeUtf8Leniently(required(names.read(0x86), problem).content));
    }
  }
  return urls.length > 0 ? { CRLDistributionPoints: urls } : {};
}

function policies({ value }: Extension): JsonObject {
  const problem = 'x509: invalid certificate policies';
  const list = required(new DerReader(value).open(), problem);
  const all = new Map<string, readonly IdentifierArc[]>();
  while (!list.isEmpty) {
    const arcs = readArcs(required(list.open(), problem), problem);
    const id = arcs.join('.');
    if (all.has(id)) throw new X509Error(problem);
    all.set(id, arcs);
  }
  return {
    Policies: all.size > 0 ? [...all.keys()] : null,
    PolicyIdentifiers: [...all.values()].filter(areSmall).map((arcs) => [...arcs]),
  };
}

function policyMappings({ value }: Extension): JsonObject {
  const problem = 'x509: invalid policy mappings extension';
  const list = required(new DerReader(value).open(), problem);
  const mappings: JsonObject[] = [];
  while (!list.isEmpty) {
    const pair = required(list.open(), problem);
    const [issuer, subject] = [readArcs(pair, problem), readArcs(pair, problem)];
    mappings.push({
      IssuerDomainPolicy: issuer.join('.'),
      SubjectDomainPolicy: subject.join('.'),
    });
  }
  return mappings.length > 0 ? { PolicyMappings: mappings } : {};
}

/** The arcs of an identifier of any size. */
function readArcs(reader: DerReader, problem: string): readonly IdentifierArc[] {
  return required(
    identifierArcs(required(reader.read(derTags.identifier), problem).content),
    problem,
  );
}

function authorityKey({ isCritical, value }: Extension): JsonObject {
  if (isCritical) {
    throw new X509Error('x509: authority key identifier incorrectly marked critical');
  }
  const problem = 'x509: invalid authority key identifier';
  const fields = required(new DerReader(value).open(), problem);
  if (!fields.isNext(0x80)) return {};
  return { AuthorityKeyId: encodeBase64(required(fields.read(0x80), problem).content) };
}

function policyConstraints({ value }: Extension): JsonObject {
  const fields = required(
    new DerReader(value).open(),
    'x509: invalid policy constraints extension',
  );
  return {
    ...skips(fields, { tag: 0x80, member: 'RequireExplicitPolicy' }),
    ...skips(fields, { tag: 0x81, member: 'InhibitPolicyMapping' }),
  };
}

function skips(fields: DerReader, { tag, member }: { tag: number; member: string }): JsonObject {
  if (!fields.isNext(tag)) return {};
  return counted(member, fields.readInteger(tag), 'x509: invalid policy constraints extension');
}

function counted(member: string, read: bigint | undefined, problem: string): JsonObject {
  const count = requiredInt64(read, problem);
  return { [member]: Number(count), [`${member}Zero`]: count === 0n };
}

/** Extended key usages by Go's numbers (`x509.ExtKeyUsage`). */
const extendedUsages: ReadonlyMap<string, number> = new Map([
  ['2.5.29.37.0', 0],
  ['1.3.6.1.5.5.7.3.1', 1],
  ['1.3.6.1.5.5.7.3.2', 2],
  ['1.3.6.1.5.5.7.3.3', 3],
  ['1.3.6.1.5.5.7.3.4', 4],
  ['1.3.6.1.5.5.7.3.5', 5],
  ['1.3.6.1.5.5.7.3.6', 6],
  ['1.3.6.1.5.5.7.3.7', 7],
  ['1.3.6.1.5.5.7.3.8', 8],
  ['1.3.6.1.5.5.7.3.9', 9],
  ['1.3.6.1.4.1.311.10.3.3', 10],
  ['2.16.840.1.113730.4.1', 11],
  ['1.3.6.1.4.1.311.2.1.22', 12],
  ['1.3.6.1.4.1.311.61.1.1', 13],
]);

function extendedKeyUsage({ value }: Extension): JsonObject {
  const problem = 'x509: invalid extended key usages';
  const list = required(new DerReader(value).open(), problem);
  const known: number[] = [];
  const unknown: number[][] = [];
  while (!list.isEmpty) {
    const arcs = required(list.readIdentifier(), problem);
    const number = extendedUsages.get(arcs.join('.'));
    if (number === undefined) unknown.push([...arcs]);
    else known.push(number);
  }
  return {
    ExtKeyUsage: known.length > 0 ? known : null,
    UnknownExtKeyUsage: unknown.length > 0 ? unknown : null,
  };
}

function inhibitAnyPolicy({ value }: Extension): JsonObject {
  const count = new DerReader(value).readInteger();
  return counted('InhibitAnyPolicy', count, 'x509: invalid inhibit any policy extension');
}

const accessMembers: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.5.5.7.48.1', 'OCSPServer'],
  ['1.3.6.1.5.5.7.48.2', 'IssuingCertificateURL'],
]);

function authorityAccess({ isCritical, value }: Extension): JsonObject {
  if (isCritical) throw new X509Error('x509: authority info access incorrectly marked critical');
  const problem = 'x509: invalid authority info access';
  const list = required(new DerReader(value).open(), problem);
  const urls: Record<string, string[]> = {};
  while (!list.isEmpty) {
    const access = required(list.open(), problem);
    const method = required(access.readIdentifier(), problem).join('.');
    if (!access.isNext(0x86)) continue;
    const url = decodeUtf8Leniently(required(access.read(0x86), problem).content);
    const member = accessMembers.get(method);
    if (member === undefined) continue;
    urls[member] ??= [];
    urls[member].push(url);
  }
  return urls;
}
