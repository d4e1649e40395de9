import type { JsonObject } from '@kubeadmit/apimachinery';
import { type DerElement, DerReader, derTags, encodeBase64 } from '@kubeadmit/go';
import { rightAligned } from '@kubeadmit/go/unstable-internal';
import { noAlternativeNames, readAlternativeNames } from './alternative-names.ts';
import { type Extension, extensionMembers, readExtension } from './extensions.ts';
import { type Attribute, nameMembers, readString } from './names.ts';
import {
  type PublicKey,
  readAlgorithm,
  readPublicKey,
  rsaNumber,
  signatureNumber,
} from './public-key.ts';
import { required, X509Error } from './x509-error.ts';

const extensionRequest = '1.2.840.113549.1.9.14';
const alternativeNames = '2.5.29.17';

/** Go reads requests with `encoding/asn1`, whose many texts about broken bytes are this one here. */
const malformed = 'asn1: structure error: malformed certificate request';

/** A request to sign a certificate as Go's `x509.CertificateRequest` in JSON, and its key. */
export function readCertificateRequest(bytes: Uint8Array): {
  readonly members: JsonObject;
  readonly key: PublicKey;
} {
  const whole = new DerReader(bytes);
  const outer = required(whole.open(), malformed);
  if (!whole.isEmpty) throw new X509Error('asn1: syntax error: trailing data');
  const body = required(outer.read(derTags.sequence), malformed);
  const algorithm = readAlgorithm(required(outer.open(), malformed));
  const signature = required(outer.readBits(), malformed);

  const fields = new DerReader(body.content);
  const version = required(fields.readInteger(), malformed);
  const subject = required(fields.read(derTags.sequence), malformed);
  const info = required(fields.read(derTags.sequence), malformed);
  const key = readPublicKey(new DerReader(info.content));
  const attributes = elementsOf(fields.open(0xa0));
  const extensions = attributes.flatMap(requestedExtensions);
  if (new Set(extensions.map(({ id }) => id)).size < extensions.length) {
    throw new X509Error('x509: certificate request contains duplicate requested extensions');
  }
  const names = extensions.filter(({ id }) => id === alternativeNames);
  const shown = attributes.flatMap((attribute) => attributeMembers(attribute) ?? []);
  return {
    key,
    members: {
      Attributes: shown.length > 0 ? shown : null,
      ...(names[0] === undefined ? noAlternativeNames : readAlternativeNames(names[0].value)),
      Extensions: extensions.length > 0 ? extensions.map(extensionMembers) : null,
      ExtraExtensions: null,
      PublicKeyAlgorithm: rsaNumber,
      Raw: encodeBase64(bytes),
      RawSubject: encodeBase64(subject.raw),
      RawSubjectPublicKeyInfo: encodeBase64(info.raw),
      RawTBSCertificateRequest: encodeBase64(body.raw),
      Signature: encodeBase64(rightAligned(signature)),
      SignatureAlgorithm: signatureNumber(algorithm),
      Subject: nameMembers(readSubject(subject)),
      Version: Number(version),
    },
  };
}

/** The elements up to the end; those behind one that is broken are not there. */
function elementsOf(reader: DerReader | undefined): readonly DerElement[] {
  const elements: DerElement[] = [];
  while (reader !== undefined && !reader.isEmpty) {
    elements.push(required(reader.readAny(), malformed));
  }
  return elements;
}

function readSubject({ content }: DerElement): readonly Attribute[] {
  return elementsOf(new DerReader(content)).flatMap((set) => {
    if (set.tag !== derTags.set) throw new X509Error(malformed);
    return elementsOf(new DerReader(set.content)).map((element) =>
      required(readAttribute(element), malformed),
    );
  });
}

/** Reads a type and any value (`pkix.AttributeTypeAndValue`); bytes after them are ignored. */
function readAttribute({ tag, content }: DerElement): Attribute | undefined {
  if (tag !== derTags.sequence) return undefined;
  const reader = new DerReader(content);
  const type = reader.readIdentifier();
  const element = reader.readAny();
  if (type === undefined || element === undefined) return undefined;
  const value = anyValue(element);
  return value === undefined ? undefined : { type, value };
}

/** A value whose type only its tag says, as `encoding/asn1` reads it; `undefined` for one that is broken. */
function anyValue(element: DerElement): unknown {
  const reader = new DerReader(element.raw);
  switch (element.tag) {
    case derTags.boolean:
      return reader.readBoolean();
    case derTags.integer: {
      const integer = reader.readInteger();
      const isLong = integer !== undefined && BigInt.asIntN(64, integer) === integer;
      return isLong ? Number(integer) : undefined;
    }
    case derTags.bitString: {
      const bits = reader.readBits();
      return bits && { Bytes: encodeBase64(bits.bytes), BitLength: bits.length };
    }
    case derTags.octets:
      return encodeBase64(element.content);
    case derTags.identifier: {
      const arcs = reader.readIdentifier();
      return arcs && [...arcs];
    }
    case derTags.utcTime:
    case derTags.generalizedTime:
      return reader.readTime();
    case derTags.utf8:
    case derTags.numeric:
    case derTags.printable:
    case derTags.t61:
    case derTags.ia5:
    case derTags.bmp: {
      const text = readString(element);
      return typeof text === 'string' ? text : undefined;
    }
    default:
      return null;
  }
}

/** An attribute whose values are lists of types and values; others, such as passwords, are left out. */
function attributeMembers({ tag, content }: DerElement): JsonObject | undefined {
  const reader = new DerReader(content);
  const type = tag === derTags.sequence ? reader.readIdentifier() : undefined;
  const set = reader.read(derTags.set);
  if (type === undefined || set === undefined) return undefined;
  const values: unknown[] = [];
  for (const list of elementsOf(new DerReader(set.content))) {
    if (list.tag !== derTags.sequence) return undefined;
    const attributes = elementsOf(new DerReader(list.content)).map(readAttribute);
    if (attributes.includes(undefined)) return undefined;
    values.push(
      attributes.map((one) => ({ Type: [...(one?.type ?? [])], Value: one?.value ?? null })),
    );
  }
  return { Type: [...type], Value: values };
}

function requestedExtensions({ tag, content }: DerElement): readonly Extension[] {
  const reader = new DerReader(content);
  const type = tag === derTags.sequence ? reader.readIdentifier() : undefined;
  if (type?.join('.') !== extensionRequest) return [];
  const list = reader.open(derTags.set)?.open();
  if (list === undefined) return [];
  return elementsOf(list).map((element) => {
    if (element.tag !== derTags.sequence) throw new X509Error(malformed);
    return readExtension(new DerReader(element.content));
  });
}
