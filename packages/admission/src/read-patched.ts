import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
  member,
  parseGroupVersion,
  sameKind,
} from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/types';
import { kindOf } from './convert-object.ts';
import { headProblem, unregisteredKind } from './decode/decode-errors.ts';

/** The inputs of a patched object. */
export interface PatchedObject {
  readonly kind: GroupVersionKind;
  readonly isCustom: boolean;
  /** The object that was patched, as decoding gave it. */
  readonly live?: KubernetesObject | undefined;
  /** The time, for defaults that read the clock; default the beginning of Unix time. */
  readonly now?: string;
}

/**
 * Decodes the result of a JSON patch strictly as an object of the kind, or returns an error
 * (apiserver policy/mutating/patch/json_patch.go).
 *
 * Custom resources only need a kind.
 */
export function readPatched(
  schemas: Schemas,
  document: unknown,
  patched: PatchedObject,
): KubernetesObject | string {
  const { kind, isCustom, live } = patched;
  // Few patches change the kind of an object.
  const isKnown = !isCustom && structOf(schemas, kind) !== undefined;
  if (isKnown && live !== undefined && hasHeadOf(document, live, kind)) {
    return decodePatched(schemas, document, patched);
  }
  // Go writes the members of a patched document in the order of their names.
  const head = { apiVersion: member(document, 'apiVersion'), kind: member(document, 'kind') };
  const problem = headProblem(Array.isArray(document) ? document : head);
  if (problem !== undefined) return problem;
  const apiVersion = String(member(document, 'apiVersion') ?? '');
  if (apiVersion.split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  if (isCustom) {
    if (member(document, 'kind')) return document as KubernetesObject;
    return `Object 'Kind' is missing in '${stringifyJson(document, { isSorted: true })}'`;
  }
  return readBuiltin(schemas, (document ?? {}) as KubernetesObject, patched);
}

function readBuiltin(
  schemas: Schemas,
  document: KubernetesObject,
  patched: PatchedObject,
): KubernetesObject | string {
  const { kind, live } = patched;
  const named = String(member(document, 'apiVersion') || formatGroupVersion(kind));
  const parsed = parseGroupVersion(named);
  if (parsed === undefined) return `unexpected GroupVersion string: ${named}`;
  const actual = { ...parsed, kind: String(member(document, 'kind') || kind.kind) };
  if (structOf(schemas, actual) === undefined)
    return unregisteredKind(actual.kind, formatGroupVersion(actual));
  const typed =
    document['apiVersion'] === named && document['kind'] === actual.kind
      ? document
      : { ...document, apiVersion: named, kind: actual.kind };
  const isSame = sameKind(actual, kind);
  const known = live !== undefined && sameKind(kindOf(live), actual) ? live : undefined;
  const decoded = decodePatched(schemas, typed, { ...patched, kind: actual, live: known });
  if (isSame || typeof decoded === 'string') return decoded;
  // Another version is another form of the same kind, which the server asks for next.
  if (actual.group === kind.group && actual.kind === kind.kind) return decoded;
  const owner = kind.group === '' ? 'core' : (kind.group.split('.')[0] ?? '');
  return `failed to convert object: converting (${actual.version}.${actual.kind}) to (${owner}.${kind.kind}): unknown conversion`;
}

// Whether a document has the head of the object that was patched.
function hasHeadOf(
  document: unknown,
  { apiVersion, kind: name }: KubernetesObject,
  kind: GroupVersionKind,
): document is KubernetesObject {
  return (
    name === kind.kind &&
    member(document, 'kind') === name &&
    apiVersion !== undefined &&
    member(document, 'apiVersion') === apiVersion &&
    apiVersion === formatGroupVersion(kind)
  );
}

function decodePatched(
  schemas: Schemas,
  document: KubernetesObject,
  { kind, live, now }: PatchedObject,
): KubernetesObject | string {
  // A literal, since V8 takes longer for an object rest than for decoding most patches.
  const settings = { kind, live, now, fieldValidation: 'Strict', internal: false } as const;
  const { object, error = '' } = decode(schemas, document, settings);
  return object ?? error;
}
