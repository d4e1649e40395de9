import { headProblem, unregisteredKind } from '@kubeadmit/admission/unstable-internal';
import { decodeManifest } from '@kubeadmit/admission/writes';
import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  type KubernetesObject,
  memberText,
  parseGroupVersion,
} from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { otherVersionsOf, type Schemas } from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import { structOf } from '@kubeadmit/schemas/types';
import { badRequest } from '../errors/failures.ts';
import { groupVersionOf } from '../objects/group-version.ts';
import type { FieldValidation } from '../options/write-options.ts';
import { type ExpectedBody, type ReadBody, unrecognized, yamlFindingsText } from './read-body.ts';

/** How an object is decoded. */
export interface DecodingOptions {
  readonly schemas: Schemas;
  /** The kind of the URL. */
  readonly kind: GroupVersionKind;
  readonly fieldValidation: FieldValidation;
  /** The time that some defaults need, in RFC 3339. */
  readonly now: string;
  /** Custom resources say their version and kind themselves. */
  readonly isCustom: boolean;
  readonly isUpdate: boolean;
  /** Findings in the order in which a decoder meets them in the body. */
  readonly order: (findings: readonly string[]) => readonly string[];
  /** The body as text, for messages. */
  readonly head: () => string;
}

/** An object as the server stores it, with warnings about its fields. */
export interface DecodedObject {
  readonly object: KubernetesObject;
  readonly warnings: readonly string[];
}

/** Decodes the body of a create or update, or throws its 400. */
export function decodeObject(body: ReadBody, options: DecodingOptions): DecodedObject {
  const { kind, isCustom } = options;
  const given = readHead(body.value, options);
  if (isCustom && given.kind === '') {
    const text = JSON.stringify(body.value);
    throw unrecognized(kind, `Object 'Kind' is missing in '${text}'`, options.head());
  }
  if (isCustom && given.apiVersion === '') {
    throw badRequest(
      `the API version in the data () does not match the expected API version (${formatGroupVersion(kind)})`,
    );
  }
  const own: GroupVersionKind = {
    ...(given.apiVersion === '' ? kind : groupVersionOf(given.apiVersion)),
    kind: given.kind === '' ? kind.kind : given.kind,
  };
  const value = typeof body.value === 'object' && body.value !== null ? body.value : {};
  const named = {
    ...value,
    apiVersion: formatGroupVersion(own),
    kind: own.kind,
  } as KubernetesObject;
  checkKind(own, options);
  return decodeNamed(named, own, body, options);
}

function decodeNamed(
  named: KubernetesObject,
  own: GroupVersionKind,
  body: ReadBody,
  { schemas, kind, fieldValidation, now, order }: DecodingOptions,
): DecodedObject {
  const mode = fieldValidation === 'Ignore' ? 'Ignore' : 'Warn';
  const decoded = decodeManifest(schemas, named, { fieldValidation: mode, now, kind: own });
  if (decoded.error !== undefined || decoded.object === undefined) {
    throw badRequest(cannotBeHandled(own, kind, decoded.error ?? ''));
  }
  const findings = order([...body.findings, ...(decoded.warnings ?? [])]);
  const { yamlFindings = [] } = body;
  if (fieldValidation === 'Strict' && findings.length + yamlFindings.length > 0) {
    const ofYaml = yamlFindings.length === 0 ? [] : [yamlFindingsText(yamlFindings)];
    const text = `strict decoding error: ${[...ofYaml, ...findings].join(', ')}`;
    throw badRequest(cannotBeHandled(own, kind, text));
  }
  return {
    object: decoded.object as KubernetesObject,
    warnings: fieldValidation === 'Warn' ? [...yamlFindings, ...findings] : [],
  };
}

/** The text of a body that cannot be read as the kind of the URL (handlers.transformDecodeError). */
function cannotBeHandled(own: GroupVersionKind, expected: GroupVersionKind, why: string): string {
  return `${own.kind} in version ${quote(own.version)} cannot be handled as a ${expected.kind}: ${why}`;
}

function readHead(value: unknown, { kind, head, isCustom }: DecodingOptions): ExpectedBody {
  const apiVersion = memberText(value, 'apiVersion');
  const isVersion = isCustom || parseGroupVersion(apiVersion) !== undefined;
  const problem =
    headProblem(value) ?? (isVersion ? undefined : `unexpected GroupVersion string: ${apiVersion}`);
  if (problem !== undefined) throw unrecognized(kind, problem, head());
  return { apiVersion, kind: memberText(value, 'kind') };
}

/** Returns the reason why an endpoint rejects an object of a built-in kind; undefined if it accepts it. */
export function otherKindProblem(
  own: GroupVersionKind,
  kind: GroupVersionKind,
  schemas: Schemas,
): string | undefined {
  if (structOf(schemas, own) === undefined && !wasEverKnown(own)) {
    return unregisteredKind(own.kind, formatGroupVersion(own));
  }
  if (own.kind === kind.kind && own.group === kind.group) return undefined;
  return `converting (${own.version}.${own.kind}) to (${lastPart(kind.group)}.${kind.kind}): unknown conversion`;
}

function checkKind(own: GroupVersionKind, options: DecodingOptions): void {
  const { kind, schemas, isCustom } = options;
  const sameVersion = own.group === kind.group && own.version === kind.version;
  const problem = isCustom ? undefined : otherKindProblem(own, kind, schemas);
  if (problem !== undefined) throw badRequest(cannotBeHandled(own, kind, problem));
  if (own.kind !== kind.kind || own.group !== kind.group) {
    if (isCustom && !sameVersion) throw otherVersion(own, kind);
    // Another kind of the same version is found out when the object is validated.
    if (options.isUpdate || (isCustom && sameVersion)) return;
    if (findDefinition(schemas, own) === undefined || !sameVersion || own.kind !== kind.kind) {
      throw badRequest(
        `the kind in the data (${formatGroupVersionKind(own)}) does not match the expected kind (${formatGroupVersionKind(kind)})`,
      );
    }
  }
  if (!sameVersion) throw otherVersion(own, kind);
}

function otherVersion(own: GroupVersionKind, expected: GroupVersionKind): Error {
  return badRequest(
    `the API version in the data (${formatGroupVersion(own)}) does not match the expected API version (${formatGroupVersion(expected)})`,
  );
}

// Versions that the server can still read, though it does not serve them.
function wasEverKnown({ group, version, kind }: GroupVersionKind): boolean {
  return otherVersionsOf(kind, group).some(
    ({ apiVersion }) => apiVersion === formatGroupVersion({ group, version }),
  );
}

function lastPart(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '');
}
