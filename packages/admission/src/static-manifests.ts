import {
  type FieldError,
  formatFieldError,
  formatGroupVersion,
  type KubernetesObject,
  member,
  memberList,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import { groupBy } from '@kubeadmit/base';
import {
  isPolicyKind,
  newestMinor,
  type PolicyBinding,
  type PolicyKind,
  type PolicyObject,
  type PolicySpec,
  parseVersion,
  policyGroup,
  validatePolicyObject,
} from '@kubeadmit/engine';
import { PolicyCompilers, staticSuffix } from '@kubeadmit/engine/unstable-internal';
import { quote } from '@kubeadmit/go';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/types';
import { kindOf } from './convert-object.ts';
import { unregisteredKind } from './decode/decode-errors.ts';
import type { ResourceProblem } from './loaded-policies.ts';
import { withDefaults } from './read-policy.ts';

/** An object of a folder that kube-apiserver reads from its own disk (`staticManifestsDir`). */
export interface StaticManifest {
  /** The path of its file, as texts name it. */
  readonly file: string;
  /** An object in the file; a file may contain several. */
  readonly object: KubernetesObject;
  /** The kind of objects in its folder; default the kind of the first policy or webhook configuration in it. */
  readonly folderKind?: StaticKind | undefined;
}

/** The kind of a folder: one kind of policies with their bindings, or one kind of webhook configurations. */
export type StaticKind =
  | 'ValidatingAdmissionPolicy'
  | 'MutatingAdmissionPolicy'
  | 'ValidatingWebhookConfiguration'
  | 'MutatingWebhookConfiguration';

/** A problem of a static manifest that prevents a server from starting. */
export interface StaticProblem extends ResourceProblem {
  /** The one that it is about. */
  readonly manifest: StaticManifest;
}

/** The policies and bindings that a server reads from its disk, and where it reads such, webhook configurations. */
export interface StaticPolicies {
  /** Those that it takes, in the form of v1. */
  readonly objects: readonly KubernetesObject[];
  /** The problems of the other objects; a server reports the first one and does not start. */
  readonly errors: readonly StaticProblem[];
}

/** The inputs for reading static manifests. */
export interface StaticOptions {
  /** The schemas of the built-in kinds. */
  readonly schemas: Schemas;
  /** The server's version, which decides the language features of expressions (default: the newest). */
  readonly kubernetesVersion?: string | undefined;
  /**
   * Returns the problems of a webhook configuration. Without this function, webhook configurations are rejected
   * like other kinds.
   */
  readonly validateWebhooks?:
    | ((configuration: KubernetesObject, compilers: PolicyCompilers) => readonly FieldError[])
    | undefined;
}

/**
 * Reads static manifests as kube-apiserver does when it starts.
 *
 * A folder contains either policies or webhook configurations, all of them validating or all of them mutating, with
 * unique names. Policies have no parameters, and webhooks have a URL. Follows apiserver policy/manifest/loader and
 * webhook/manifest/loader.
 */
export function readStaticManifests(
  manifests: readonly StaticManifest[],
  { schemas, kubernetesVersion, validateWebhooks }: StaticOptions,
): StaticPolicies {
  const minor = kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion);
  const compilers = new PolicyCompilers(minor, []);
  const folders = groupBy(
    manifests,
    ({ file, folderKind = '' }) => `${folderKind} ${file.slice(0, file.lastIndexOf('/') + 1)}`,
  );
  const reading = { schemas, compilers, validateWebhooks };
  const read = [...folders.values()].map((folder) => readFolder(folder, reading));
  return {
    objects: read.flatMap(({ objects }) => objects),
    errors: read.flatMap(({ errors }) => errors),
  };
}

interface Reading extends Pick<StaticOptions, 'schemas' | 'validateWebhooks'> {
  readonly compilers: PolicyCompilers;
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
  const folderKind =
    manifests[0]?.folderKind ??
    manifests.map(({ object }) => folderKindOf(object, reading)).find((each) => each);
  const files = new Map<string, string>();
  const bindings: [StaticManifest, PolicyBinding][] = [];
  for (const manifest of manifests) {
    const { file } = manifest;
    const read = readObject(manifest.object, folderKind, reading);
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
    if (given.has(`${folderKind}/${policy}`)) continue;
    const text = `references policy ${quote(policy)} which does not exist in the manifest directory`;
    fail(manifest, `binding ${quote(metadata?.name ?? '')} ${text}`);
  }
  return { objects, errors };
}

/** The kind of folder that an object belongs into: that of its policies, or its own. */
function folderKindOf(object: KubernetesObject, { validateWebhooks }: Reading): string | undefined {
  const { group, version, kind } = kindOf(object);
  if (group !== policyGroup || version !== 'v1') return undefined;
  if (validateWebhooks !== undefined && isWebhooks(kind)) return kind;
  return isPolicyKind(kind) ? kind.replace(/Binding$/, '') : undefined;
}

function isWebhooks(kind: string | undefined): boolean {
  return kind?.endsWith('WebhookConfiguration') === true;
}

function isBinding(object: PolicyObject<object>): object is PolicyBinding {
  return object.kind?.endsWith('Binding') === true;
}

/** Decodes an object strictly, sets its defaults and validates it, without the rules that only the API enforces. */
function readObject(
  given: KubernetesObject,
  folderKind: string | undefined,
  reading: Reading,
): ReadObject {
  const { schemas, compilers, validateWebhooks } = reading;
  const kind = kindOf(given);
  const unsupported = { problem: `unsupported resource type *${kind.version}.${kind.kind}` };
  if (kind.group !== policyGroup || structOf(schemas, kind) === undefined) {
    // The server still knows a version of webhook configurations that it does not serve.
    const isOld = kind.group === policyGroup && kind.version === 'v1beta1' && isWebhooks(kind.kind);
    if (isOld) return unsupported;
    return { problem: unregisteredKind(kind.kind, formatGroupVersion(kind)) };
  }
  const { object: decoded, error } = decode(schemas, given, { fieldValidation: 'Strict' });
  if (decoded === undefined || error !== undefined) return { problem: error ?? '' };
  if (folderKind === undefined || folderKindOf(given, reading) !== folderKind) return unsupported;
  const object = isWebhooks(folderKind) ? decoded : withDefaults(decoded, kind);
  const validation = { checkers: compilers, isStatic: true };
  const errors = isWebhooks(folderKind)
    ? (validateWebhooks?.(object, compilers) ?? [])
    : validatePolicyObject(kind.kind as PolicyKind, object, validation);
  const fields = errors.map(formatFieldError);
  if (fields.length === 0) return { object };
  const name = quote(metadataString(object, 'name'));
  return { problem: `${kind.kind} ${name}: ${formatAggregate(fields)}`, fields };
}

/**
 * Returns a violation of the rules for static manifests, or `undefined`; `files` maps each `Kind/name` to its file.
 */
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
  if (isWebhooks(kind)) return addressProblem(object as KubernetesObject, inFile);
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

/** Why the server does not call the webhooks of a configuration: it has no services when it starts. */
function addressProblem(configuration: KubernetesObject, inFile: string): string | undefined {
  const named = quote(metadataString(configuration, 'name'));
  for (const webhook of memberList(configuration, 'webhooks')) {
    const about = `webhook ${quote(memberText(webhook, 'name'))} in ${named} (${inFile.slice(3)})`;
    const config = member(webhook, 'clientConfig');
    if (member(config, 'service') != null) {
      return `${about}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`;
    }
    if (!member(config, 'url')) {
      return `${about}: clientConfig.url is required for static manifests`;
    }
  }
  return undefined;
}
