import type { JsonObject } from '@kubeadmit/apimachinery';
import { DerReader, derTags, encodeBase64, quote } from '@kubeadmit/go';
import { rightAligned } from '@kubeadmit/go/unstable-internal';
import { type Extension, extensionMembers, readExtension, readExtensions } from './extensions.ts';
import { nameMembers, readName } from './names.ts';
import {
  type PublicKey,
  readAlgorithm,
  readPublicKey,
  rsaNumber,
  signatureNumber,
} from './public-key.ts';
import { required, requiredInt64, X509Error } from './x509-error.ts';

/**
 * A certificate as Go's `x509.Certificate` in JSON but for its key and serial number, in the order of Go's
 * `parseCertificate`.
 */
export function readCertificate(bytes: Uint8Array): {
  readonly members: JsonObject;
  readonly key: PublicKey;
  readonly serial: bigint;
} {
  const whole = new DerReader(bytes);
  const outer = required(whole.open(), 'x509: malformed certificate');
  const body = required(outer.read(derTags.sequence), 'x509: malformed tbs certificate');
  const fields = new DerReader(body.content);
  const version = readVersion(fields);
  const serial = required(fields.readInteger(), 'x509: malformed serial number');
  if (serial < 0n) throw new X509Error('x509: negative serial number');
  const algorithm = readSignatureAlgorithm(fields, outer);
  const issuer = required(fields.read(derTags.sequence), 'x509: malformed issuer');
  const issuerNames = readName(issuer);
  const validity = required(fields.open(), 'x509: malformed validity');
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)];
  const subject = required(fields.read(derTags.sequence), 'x509: malformed issuer');
  const subjectNames = readName(subject);
  const info = required(fields.read(derTags.sequence), 'x509: malformed spki');
  const key = readPublicKey(new DerReader(info.content));
  const extensions = version < 2 ? [] : readAllExtensions(fields, version);
  const extended = readExtensions(extensions);
  const signature = required(outer.readBits(), 'x509: malformed signature');
  if (!whole.isEmpty) throw new X509Error('x509: trailing data');
  return {
    key,
    serial,
    members: {
      ...extended,
      Extensions: extensions.length > 0 ? extensions.map(extensionMembers) : null,
      ExtraExtensions: null,
      Issuer: nameMembers(issuerNames),
      NotAfter: notAfter,
      NotBefore: notBefore,
      PublicKeyAlgorithm: rsaNumber,
      Raw: encodeBase64(bytes),
      RawIssuer: encodeBase64(issuer.raw),
      RawSubject: encodeBase64(subject.raw),
      RawSubjectPublicKeyInfo: encodeBase64(info.raw),
      RawTBSCertificate: encodeBase64(body.raw),
      Signature: encodeBase64(rightAligned(signature)),
      SignatureAlgorithm: algorithm,
      Subject: nameMembers(subjectNames),
      Version: version,
    },
  };
}

/** The version, counted from one. */
function readVersion(fields: DerReader): number {
  if (!fields.isNext(0xa0)) return 1;
  const inner = required(fields.open(0xa0), 'x509: malformed version');
  const version = requiredInt64(inner.readInteger(), 'x509: malformed version');
  if (!inner.isEmpty || version < 0n) throw new X509Error('x509: malformed version');
  if (version > 2n) throw new X509Error('x509: invalid version');
  return Number(version) + 1;
}

/** Reads the algorithm, which is inside of the signed part and next to it. */
function readSignatureAlgorithm(fields: DerReader, outer: DerReader): number {
  const inner = required(
    fields.read(derTags.sequence),
    'x509: malformed signature algorithm identifier',
  ).content;
  const beside = required(
    outer.read(derTags.sequence),
    'x509: malformed algorithm identifier',
  ).content;
  if (encodeBase64(inner) !== encodeBase64(beside)) {
    throw new X509Error("x509: inner and outer signature algorithm identifiers don't match");
  }
  return signatureNumber(readAlgorithm(new DerReader(inner)));
}

function readTime(validity: DerReader): string {
  if (validity.isNext(derTags.utcTime)) {
    return required(validity.readTime(), 'x509: malformed UTCTime');
  }
  if (validity.isNext(derTags.generalizedTime)) {
    return required(validity.readTime(), 'x509: malformed GeneralizedTime');
  }
  throw new X509Error('x509: unsupported time format');
}

function readAllExtensions(fields: DerReader, version: number): readonly Extension[] {
  const malformed = 'x509: malformed';
  if (fields.isNext(0x81)) required(fields.read(0x81), `${malformed} issuerUniqueID`);
  if (fields.isNext(0x82)) required(fields.read(0x82), `${malformed} subjectUniqueID`);
  if (version !== 3 || !fields.isNext(0xa3)) return [];
  const inner = required(fields.open(0xa3), `${malformed} extensions`);
  const list = required(inner.open(), `${malformed} extensions`);
  const extensions: Extension[] = [];
  const seen = new Set<string>();
  while (!list.isEmpty) {
    const extension = readExtension(required(list.open(), `${malformed} extension`));
    if (seen.has(extension.id)) {
      const id = quote(extension.id);
      throw new X509Error(`x509: certificate contains duplicate extension with OID ${id}`);
    }
    seen.add(extension.id);
    extensions.push(extension);
  }
  return extensions;
}
