import { unreadableHead } from '@kubeadmit/admission/unstable-internal';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { decodeUtf8Leniently, readYaml } from '@kubeadmit/go';
import { scanJson } from '@kubeadmit/go/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import type { Codec } from '../encoding/codec.ts';
import { badRequest, entityTooLarge, unsupportedMediaType } from '../errors/failures.ts';
import { type ApiRequest, headerOf, maximumBodySize } from '../http/request.ts';

/** The bytes of a body with their media type. */
export interface Body {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A body that has been read. */
export interface ReadBody {
  readonly value: unknown;
  /** Findings of a strict decoder, such as `duplicate field "spec.x"`. */
  readonly findings: readonly string[];
  /** Findings in YAML, one per line, which precede all others. */
  readonly yamlFindings?: readonly string[];
}

/** The media type of a request, without its parameters; JSON when it has none. */
export function mediaTypeOf(request: ApiRequest): string {
  const [type = ''] = (headerOf(request, 'content-type') ?? '').split(';');
  return type.trim() === '' ? 'application/json' : type.trim().toLowerCase();
}

/** Takes in the body of a request; throws 413 where it is too large. */
export async function takeBody(request: ApiRequest): Promise<Uint8Array> {
  const body = await request.readBody?.();
  if (body === undefined) return new Uint8Array();
  if (body.tooLarge || body.bytes.length > maximumBodySize) {
    throw entityTooLarge(`limit is ${maximumBodySize}`);
  }
  return body.bytes;
}

/** Throws 415 where bodies of the type are not read. */
export function checkMediaType(mediaType: string, codecs: readonly Codec[]): void {
  const known = acceptedTypes(codecs);
  if (!known.includes(mediaType)) throw unsupportedMediaType(known);
}

function acceptedTypes(codecs: readonly Codec[]): readonly string[] {
  return ['application/json', 'application/yaml', ...codecs.map(({ mediaType }) => mediaType)];
}

/** The expected content of a body. */
export interface ExpectedBody {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Reads a body, or throws the 400 of one that is not an object. */
export function readBody(
  { mediaType, bytes }: Body,
  expected: ExpectedBody,
  { schemas, codecs }: { readonly schemas: Schemas; readonly codecs: readonly Codec[] },
): ReadBody {
  const codec = codecs.find((known) => known.mediaType === mediaType);
  if (codec !== undefined) {
    const noMessage = bytes.length === 0 ? 'empty data' : undefined;
    const decoded = codec.decode(schemas, bytes, expected);
    if (decoded.error !== undefined) {
      throw unrecognized(expected, noMessage ?? decoded.error, headOf(bytes));
    }
    return { value: decoded.object, findings: [] };
  }
  const text = decodeUtf8Leniently(bytes);
  return mediaType === 'application/yaml'
    ? readYamlText(text, expected, bytes)
    : readJsonText(text, expected, bytes);
}

function readJsonText(text: string, expected: ExpectedBody, bytes: Uint8Array): ReadBody {
  const read = scanJson(text, { numbers: kubernetesNumbers });
  if ('error' in read) throw unrecognized(expected, unreadableHead(read.error), headOf(bytes));
  return { value: read.value, findings: read.duplicates.map(duplicateText) };
}

/** A finding about a member that an object has twice. */
export function duplicateText(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`;
}

function readYamlText(text: string, expected: ExpectedBody, bytes: Uint8Array): ReadBody {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('{')) {
    if (!('error' in scanJson(text))) return readJsonText(text, expected, bytes);
  }
  const read = readYaml(bytes, { numbers: kubernetesNumbers });
  if ('error' in read) throw unrecognized(expected, read.error, headOf(bytes));
  return { value: read.value, findings: [], yamlFindings: read.findings };
}

/** Returns a strict decoder's message about findings in YAML. */
export function yamlFindingsText(findings: readonly string[]): string {
  return `yaml: unmarshal errors:\n  ${findings.join('\n  ')}`;
}

/** The 400 of a body that no decoder takes (apimachinery serializer/json and recognizer). */
export function unrecognized(
  { kind }: Pick<ExpectedBody, 'kind'>,
  why: string,
  head: string,
): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${head})`,
  );
}

const headSize = 30;

/** The start of a body as messages show it: as text where it begins with `{`, otherwise in hexadecimal. */
export function headOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const isText = decodeUtf8Leniently(bytes.slice(0, 64)).trimStart().startsWith('{');
  const cut = bytes.slice(0, headSize);
  const shown = isText
    ? decodeUtf8Leniently(cut)
    : Array.from(cut, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return bytes.length > headSize ? `${shown} ...` : shown;
}
