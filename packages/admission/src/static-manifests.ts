import {
  formatFieldError,
  formatGroupVersion,
  type KubernetesObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/internal';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { parseVersion, validatePolicyObject } from '@kubeadmit/engine';
import {
  isPolicyKind,
  newestMinor,
  type PolicyBinding,
  type PolicyKind,
  type PolicyObject,
  type PolicySpec,
  policyGroup,
  SharedCompilers,
  staticSuffix,
} from '@kubeadmit/engine/internal';
import { quote } from '@kubeadmit/go';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/internal';
import { kindOf } from './convert-object.ts';
import { unregisteredKind } from './decode-errors.ts';
import type { ResourceProblem } from './loaded-policies.ts';
import { withDefaults } from './read-policy.ts';

/** An object of a folder that kube-apiserver reads from its own disk (`staticManifestsDir`). */
export interface StaticManifest {
  /** The path of its file, as texts name it. */
  readonly file: string;
  /** What stands in it; a file may hold several. */
  readonly object: KubernetesObject;
  /** The policies that its folder is for; default those of which the first is one that stands there. */
  readonly policyKind?: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy' | undefined;
}

/** What keeps a server from starting with a static manifest. */
export interface StaticProblem extends ResourceProblem {
  /** The one that it is about. */
  readonly manifest: StaticManifest;
}

/** The policies and bindings that a server reads from its disk. */
export interface StaticPolicies {
  /** Those that it takes, in the form of v1. */
  readonly objects: readonly KubernetesObject[];
  /** What is wrong with the others; a server tells the first and does not start. */
  readonly errors: readonly StaticProblem[];
}

/** What static manifests are read with. */
export interface StaticOptions {
  /** What is known about built-in kinds. */
  readonly schemas: Schemas;
  /** The server's version, which decides what expressions may use; default the newest. */
  readonly kubernetesVersion?: string | undefined;
}

/**
 * Reads static manifests as kube-apiserver does when it starts (apiserver policy/manifest/loader): the manifests of a
 * folder are all for validating, or all for mutating policies, have names of their own, and no parameters.
 */
export function readStaticManifests(
  manifests: readonly StaticManifest[],
  { schemas, kubernetesVersion }: StaticOptions,
): StaticPolicies {
  const minor = kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion);
  const compilers = new SharedCompilers(minor, []);
  compilers.describeSyntaxErrors = describeSyntaxErrors;
  const folders = new Map<string, StaticManifest[]>();
  for (const manifest of manifests) {
    const { file, policyKind = '' } = manifest;
    const folder = `${policyKind} ${file.slice(0, file.lastIndexOf('/') + 1)}`;
    const others = folders.get(folder);
    if (others === undefined) folders.set(folder, [manifest]);
    else others.push(manifest);
  }
  const read = [...folders.values()].map((folder) => readFolder(folder, { schemas, compilers }));
  return {
    objects: read.flatMap(({ objects }) => objects),
    errors: read.flatMap(({ errors }) => errors),
  };
}

interface Reading {
  readonly schemas: Schemas;
  readonly compilers: SharedCompilers;
}

/** An object as the server takes it, or why it does not; with the texts of its field errors where it has such. */
type ReadObject =
  | { readonly object: KubernetesObject; readonly problem?: undefined }
  | { readonly problem: string; readonly fields?: readonly string[] };

function readFolder(manifests: readonly StaticManifest[], reading: Reading): StaticPolicies {
  const objects: KubernetesObject[] = [];
  const errors: StaticProblem[] = [];
  const titleOf = ({ object }: StaticManifest): string =>
    `${kindOf(object).kind}/${metadataString(object, 'name')}`;
  const fail = (manifest: StaticManifest, message: string, fields?: readonly string[]): void => {
    errors.push({ manifest, resource: titleOf(manifest), message, ...(fields && { fields }) });
  };
  const policyKind =
    manifests[0]?.policyKind ??
    manifests.map(({ object }) => policyKindOf(object)).find((each) => each);
  const files = new Map<string, string>();
  const bindings: [StaticManifest, PolicyBinding][] = [];
  for (const manifest of manifests) {
    const { file } = manifest;
    const read = readObject(manifest.object, policyKind, reading);
    const problem = read.problem ?? ruleProblem(read.object, file, files);
    if (read.problem === undefined && problem === undefined) {
      objects.push(read.object);
      if (isBinding(read.object)) bindings.push([manifest, read.object]);
    } else {
      fail(
        manifest,
        `error loading ${file}: ${problem}`,
        'fields' in read ? read.fields : undefined,
      );
    }
  }
  // A policy with a mistake is there all the same.
  const given = new Set(manifests.map(titleOf));
  for (const [manifest, { metadata, spec }] of bindings) {
    const policy = spec?.policyName ?? '';
    if (given.has(`${policyKind}/${policy}`)) continue;
    const text = `references policy ${quote(policy)} which does not exist in the manifest directory`;
    fail(manifest, `binding ${quote(metadata?.name ?? '')} ${text}`);
  }
  return { objects, errors };
}

/** The kind of policies that an object is one of, or the binding of one. */
function policyKindOf(object: KubernetesObject): string | undefined {
  const { group, version, kind } = kindOf(object);
  if (group !== policyGroup || version !== 'v1' || !isPolicyKind(kind)) return undefined;
  return kind.replace(/Binding$/, '');
}

function isBinding(object: PolicyObject<object>): object is PolicyBinding {
  return object.kind?.endsWith('Binding') === true;
}

/** Decodes an object strictly, sets its defaults and validates it, without what only the API asks for. */
function readObject(
  given: KubernetesObject,
  policyKind: string | undefined,
  { schemas, compilers }: Reading,
): ReadObject {
  const kind = kindOf(given);
  if (kind.group !== policyGroup || structOf(schemas, kind) === undefined) {
    return { problem: unregisteredKind(kind.kind, formatGroupVersion(kind)) };
  }
  const { object: decoded, error } = decode(schemas, given, { fieldValidation: 'Strict' });
  if (decoded === undefined || error !== undefined) return { problem: error ?? '' };
  if (policyKind === undefined || policyKindOf(given) !== policyKind) {
    return { problem: `unsupported resource type *${kind.version}.${kind.kind}` };
  }
  const object = withDefaults(decoded as KubernetesObject, kind);
  const validation = { checkers: compilers, isStatic: true };
  const errors = validatePolicyObject(kind.kind as PolicyKind, object, validation);
  const fields = errors.map(formatFieldError);
  if (fields.length === 0) return { object };
  const name = quote(metadataString(object, 'name'));
  return { problem: `${kind.kind} ${name}: ${formatAggregate(fields)}`, fields };
}

/** What the rules for static manifests alone have against an object; `files` has the file of each `Kind/name`. */
function ruleProblem(
  object: PolicyObject<PolicySpec>,
  file: string,
  files: Map<string, string>,
): string | undefined {
  const { kind = '', metadata, spec } = object;
  const name = metadata?.name ?? '';
  const inFile = `in file ${quote(file)}`;
  if (name === '') return `resource ${inFile} must have a name`;
  const suffix = quote(staticSuffix);
  if (!name.endsWith(staticSuffix)) {
    return `${quote(name)} ${inFile} must have a name ending with ${suffix}`;
  }
  const before = files.get(`${kind}/${name}`);
  if (before !== undefined) {
    return `duplicate name ${quote(name)} found ${inFile} (previously seen in ${quote(before)})`;
  }
  files.set(`${kind}/${name}`, file);
  if (!isBinding(object)) {
    return spec?.paramKind == null
      ? undefined
      : `${kind} ${quote(name)}: spec.paramKind is not supported for static manifests`;
  }
  const { policyName = '', paramRef } = object.spec ?? {};
  if (!policyName.endsWith(staticSuffix)) {
    return `binding ${quote(name)}: spec.policyName ${quote(policyName)} must end with ${suffix}`;
  }
  return paramRef == null
    ? undefined
    : `binding ${quote(name)}: spec.paramRef is not supported for static manifests`;
}
