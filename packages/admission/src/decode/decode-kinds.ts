import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { quote, readJson, readYaml } from '@kubeadmit/go';
import { headProblem, unreadableHead, unregisteredKind } from './decode-errors.ts';
import { type GoStruct, stringType, structType, unknownFields } from './decode-struct.ts';

/** A kind of objects that a decoder knows. */
export interface KnownKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: GoStruct;
}

export interface DecodedObject {
  readonly known: KnownKind;
  readonly object: JsonObject;
  /** The problems that only a strict decoder refuses: unknown fields and repeated keys. */
  readonly findings: readonly string[];
}

/** Describes a kind by its version, its fields, and the name of its Go type where it is not that of the kind. */
export function knownKind(
  apiVersion: string,
  kind: string,
  { fields, struct = kind }: { readonly fields: GoStruct['fields']; readonly struct?: string },
): KnownKind {
  const name = `${apiVersion.replace(/^.*\//, '')}.${struct}`;
  const head = { apiVersion: stringType(), kind: stringType() };
  return { apiVersion, kind, type: structType(name, { ...head, ...fields }) };
}

/**
 * Decodes an object of known kinds from YAML or JSON, as the decoders of kube-apiserver do.
 *
 * @throws Error with their text
 */
export function decodeKinds(text: string, kinds: readonly KnownKind[]): DecodedObject {
  const read = readDocument(text);
  const { value } = read;
  const problem = headProblem(value);
  if (problem !== undefined) throw new Error(problem);
  const { apiVersion, kind } = objectOf(value);
  if (!isObject(value) || !kind) throw new Error(`Object 'Kind' is missing in '${text}'`);
  if (!apiVersion) throw new Error(`Object 'apiVersion' is missing in '${text}'`);
  const known = kinds.find((each) => each.kind === kind && each.apiVersion === apiVersion);
  if (known === undefined) throw new Error(unregisteredKind(String(kind), String(apiVersion)));
  const findings = unknownFields(value, known.type).map((path) => `unknown field ${quote(path)}`);
  if (read.findings.length > 0) {
    findings.unshift(`yaml: unmarshal errors:\n  ${read.findings.join('\n  ')}`);
  }
  return { known, object: value, findings };
}

function readDocument(text: string): {
  readonly value: unknown;
  readonly findings: readonly string[];
} {
  const json = text.trimStart().startsWith('{') ? readJson(text) : undefined;
  if (json !== undefined && 'error' in json) throw new Error(unreadableHead(json.error));
  const read = readYaml(text);
  if ('error' in read) throw new Error(read.error);
  return read;
}

/**
 * Decodes like {@link decodeKinds}, and refuses unknown fields and repeated keys.
 *
 * @throws Error with the text of kube-apiserver's strict decoder
 */
export function decodeKindsStrictly(text: string, kinds: readonly KnownKind[]): DecodedObject {
  const decoded = decodeKinds(text, kinds);
  if (decoded.findings.length === 0) return decoded;
  throw new Error(`strict decoding error: ${decoded.findings.join(', ')}`);
}
