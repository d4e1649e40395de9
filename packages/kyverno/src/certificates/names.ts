import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  binaryText,
  type DerElement,
  DerReader,
  decodeUtf8,
  derTags,
  encodeUtf8,
} from '@kubeadmit/go';
import { required, X509Error } from './x509-error.ts';

/** Members of names by the last arc of their type, and whether there may be several (`pkix.Name`). */
const members: ReadonlyMap<number, readonly [string, 'one' | 'many']> = new Map([
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

/** An attribute of a name: its type and its value. */
export interface Attribute {
  readonly type: readonly number[];
  readonly value: unknown;
}

/** A name as Go writes it in JSON. */
export function nameMembers(attributes: readonly Attribute[]): JsonObject {
  const name: JsonObject = { ExtraNames: null, Names: null };
  for (const [member, how] of members.values()) name[member] = how === 'one' ? '' : null;
  for (const { type, value } of attributes) {
    const [first, second, third, last = -1] = type;
    const isOfNames = type.length === 4 && first === 2 && second === 5 && third === 4;
    const member = isOfNames ? members.get(last) : undefined;
    if (member === undefined || typeof value !== 'string') continue;
    const values = name[member[0]];
    if (Array.isArray(values)) values.push(value);
    else name[member[0]] = member[1] === 'one' ? value : [value];
  }
  if (attributes.length > 0) {
    name['Names'] = attributes.map(({ type, value }) => ({ Type: [...type], Value: value }));
  }
  return name;
}

/** The attributes of a name in a certificate (Go's `parseName`). */
export function readName(element: DerElement): readonly Attribute[] {
  const attributes: Attribute[] = [];
  const problem = 'x509: invalid RDNSequence';
  const sets = new DerReader(element.content);
  while (!sets.isEmpty) {
    const set = required(sets.open(derTags.set), problem);
    while (!set.isEmpty) {
      const attribute = required(set.open(), `${problem}: invalid attribute`);
      const type = required(attribute.readIdentifier(), `${problem}: invalid attribute type`);
      const value = required(attribute.readAny(), `${problem}: invalid attribute value`);
      attributes.push({ type, value: stringOf(value) });
    }
  }
  return attributes;
}

function stringOf(element: DerElement): string {
  const text = readString(element);
  if (typeof text === 'string') return text;
  throw new X509Error(`x509: invalid RDNSequence: invalid attribute value: ${text.error}`);
}

/** The text of one of ASN.1's strings (Go's `parseASN1String`). */
export function readString({ tag, content }: DerElement): string | { readonly error: string } {
  const text = binaryText(content);
  switch (tag) {
    case derTags.t61:
      return text;
    case derTags.printable:
      return /^[a-zA-Z0-9'()+,\-./ :=?*&]*$/.test(text)
        ? text
        : { error: 'invalid PrintableString' };
    case derTags.utf8:
      return utf8String(content);
    case derTags.bmp:
      return bmpString(content);
    case derTags.ia5:
      return /^[\0-\x7f]*$/.test(text) ? text : { error: 'invalid IA5String' };
    case derTags.numeric:
      return /^[0-9 ]*$/.test(text) ? text : { error: 'invalid NumericString' };
    default:
      return { error: `unsupported string type: ${tag}` };
  }
}

function utf8String(content: Uint8Array): string | { readonly error: string } {
  const text = decodeUtf8(content);
  const isValid = typeof text === 'string' && encodeUtf8(text).length === content.length;
  return isValid ? text : { error: 'invalid UTF-8 string' };
}

function bmpString(content: Uint8Array): string | { readonly error: string } {
  const problem = { error: 'invalid BMPString' };
  if (content.length % 2 !== 0) return problem;
  let text = '';
  for (let at = 0; at < content.length; at += 2) {
    const unit = ((content[at] ?? 0) << 8) | (content[at + 1] ?? 0);
    if (unit === 0 && at === content.length - 2) break;
    if (
      unit >= 0xfffe ||
      (unit >= 0xfdd0 && unit <= 0xfdef) ||
      (unit >= 0xd800 && unit <= 0xdfff)
    ) {
      return problem;
    }
    text += String.fromCharCode(unit);
  }
  return text;
}
