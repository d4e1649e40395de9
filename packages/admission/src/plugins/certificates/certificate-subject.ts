import { decodeBase64 } from '@kubeadmit/go';

/** One value of DER: its tag, and where its content is. */
interface DerValue {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** The object identifiers of commonName (2.5.4.3) and organizationName (2.5.4.10) in DER. */
const commonName = '85,4,3';
const organization = '85,4,10';

/** Returns the common names in the subject of a certificate signing request, in their order. */
export function commonNames(request: string): readonly string[] {
  return subjectValues(request, commonName);
}

/**
 * Returns the organizations in the subject of a certificate signing request (PKCS #10, RFC 2986).
 *
 * @param request `spec.request`: base64 of PEM, which the server has validated
 */
export function subjectOrganizations(request: string): readonly string[] {
  return subjectValues(request, organization);
}

function subjectValues(request: string, attributeType: string): readonly string[] {
  const bytes = derOf(request);
  const info = first(bytes, first(bytes, { tag: 0, start: 0, end: bytes.length }));
  const subject = values(bytes, info)[1];
  const sets = subject === undefined ? [] : values(bytes, subject);
  return sets.flatMap((set) =>
    values(bytes, set).flatMap((attribute) => {
      const [type, value] = values(bytes, attribute);
      if (type === undefined || value === undefined) return [];
      if (bytes.slice(type.start, type.end).join() !== attributeType) return [];
      return [new TextDecoder().decode(bytes.slice(value.start, value.end))];
    }),
  );
}

function derOf(request: string): Uint8Array {
  const pem = new TextDecoder().decode(bytesOf(request));
  const block = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([^-]*)-----END/.exec(pem)?.[1] ?? '';
  return bytesOf(block.replaceAll(/\s/g, ''));
}

function bytesOf(base64: string): Uint8Array {
  const bytes = decodeBase64(base64);
  return bytes instanceof Uint8Array ? bytes : new Uint8Array();
}

function first(bytes: Uint8Array, parent: DerValue): DerValue {
  return values(bytes, parent)[0] ?? { tag: 0, start: parent.end, end: parent.end };
}

/** The values in the content of another, up to the first that is not valid. */
function values(bytes: Uint8Array, { start, end }: DerValue): readonly DerValue[] {
  const found: DerValue[] = [];
  let at = start;
  while (at + 1 < end) {
    const tag = bytes[at] ?? 0;
    const short = bytes[at + 1] ?? 0;
    const count = short < 0x80 ? 0 : short - 0x80;
    const content = at + 2 + count;
    const length = count === 0 ? short : numberIn(bytes.slice(at + 2, content));
    if (content + length > end) break;
    found.push({ tag, start: content, end: content + length });
    at = content + length;
  }
  return found;
}

function numberIn(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
