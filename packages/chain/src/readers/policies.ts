import {
  isObject,
  type JsonObject,
  type KubernetesObject,
  kindOfObject,
  listOf,
  member,
} from '@kubeadmit/apimachinery';
import { lazily, requireList, requireOptions } from '@kubeadmit/base';
import {
  type CelPolicy,
  compileCelPolicy,
  compileException,
  compilePolicy,
  type Exception,
  type Policy,
  validatePolicyObject,
} from '@kubeadmit/kyverno';
import { type CleanupPolicy, compileCleanupPolicy } from '@kubeadmit/kyverno/background';
import { isAuthorizationMode } from '@kubeadmit/kyverno/payloads';
import {
  type CelException,
  type CompileOptions,
  clusterScopes,
  readCelException,
  requireCompileOptions,
} from '@kubeadmit/kyverno/unstable-internal';
import {
  type PolicyVerdict,
  validateCleanup,
  validateException,
} from '@kubeadmit/kyverno/validation';
import { policyJson } from './json.ts';
import { kyvernoRole } from './kyverno-role.ts';

/** A ClusterPolicy or Policy, and which of its rules cannot be evaluated here. */
export interface ClassicPolicy {
  /** The policy as it was given. */
  readonly object: KubernetesObject;
  /** The policy as it was read. */
  readonly policy: Policy;
  /** Returns Kyverno's answer to the policy's creation, computed on first use. */
  readonly verdict: () => PolicyVerdict;
  /** The same by Kyverno's CLI, which has no cluster to ask for the scopes of kinds. */
  readonly verdictOfCli: () => PolicyVerdict;
  /** Whether failures count as such, and not as warnings (`policies.kyverno.io/scored`). */
  readonly isScored: boolean;
  /** Why rules are not evaluated, by their names. */
  readonly unsupportedRules: ReadonlyMap<string, string>;
}

/** A policy in CEL. */
export interface NewerPolicy {
  readonly object: KubernetesObject;
  readonly policy: CelPolicy;
}

/** A policy in CEL that is not evaluated, and why. */
export interface UnsupportedPolicy extends NewerPolicy {
  readonly reason: string;
}

/** A CleanupPolicy or ClusterCleanupPolicy. */
export interface ReadCleanupPolicy {
  readonly object: KubernetesObject;
  readonly policy: CleanupPolicy;
  /** Returns the reasons for which Kyverno refuses the policy, computed on first use. */
  readonly problems: () => ReturnType<typeof validateCleanup>;
}

/** Exceptions of both groups of policies. */
export interface KyvernoExceptions {
  /** Those of `kyverno.io`. */
  readonly classic: readonly Exception[];
  /** Those of `policies.kyverno.io`. */
  readonly cel: readonly CelException[];
}

/** Policies of Kyverno by how they are evaluated. */
export interface KyvernoPolicies {
  /** Those of `kyverno.io`. */
  readonly classic: readonly ClassicPolicy[];
  /** Those of `policies.kyverno.io`. */
  readonly cel: readonly NewerPolicy[];
  /** Those that delete objects on a schedule. */
  readonly cleanup: readonly ReadCleanupPolicy[];
  /** Policies that are not evaluated, with the reason. */
  readonly unsupported: readonly UnsupportedPolicy[];
}

/** Reads the exceptions among objects as Kyverno's CLI does, which asks no webhook whether they are valid. */
export function readKyvernoExceptions(objects: readonly KubernetesObject[]): KyvernoExceptions {
  requireList('readKyvernoExceptions', objects, { what: 'objects' });
  return compileExceptions(objects.filter(isException).map((object) => policyJson(object)));
}

/** Reads the exceptions among objects that act in a cluster: Kyverno's webhook refuses the others. */
export function readAcceptedExceptions(objects: readonly KubernetesObject[]): KyvernoExceptions {
  requireList('readAcceptedExceptions', objects, { what: 'objects' });
  const sources = objects.filter(isException).map((object) => policyJson(object));
  return compileExceptions(sources.filter((source) => validateException(source).length === 0));
}

function isException(object: KubernetesObject): boolean {
  const named = kindOfObject(object);
  return named !== undefined && kyvernoRole(named) === 'exception';
}

function compileExceptions(sources: readonly JsonObject[]): KyvernoExceptions {
  const ofGroup = (group: string): readonly JsonObject[] =>
    sources.filter((source) => kindOfObject(source)?.group === group);
  return {
    classic: ofGroup('kyverno.io').map(compileException),
    cel: ofGroup('policies.kyverno.io').map(readCelException),
  };
}

/** The options of reading policies. */
export interface ReadOptions extends CompileOptions {
  /** Whether images can be verified; otherwise rules that verify images are not evaluated (default: true). */
  readonly verifiesImages?: boolean | undefined;
}

/** Sorts the policies of Kyverno among objects, and reads them. */
export function readKyvernoPolicies(
  objects: readonly KubernetesObject[],
  options: ReadOptions,
): KyvernoPolicies {
  requireList('readKyvernoPolicies', objects, { what: 'objects' });
  const { verifiesImages = true, ...compiling } = { ...options };
  requireCompileOptions('readKyvernoPolicies', compiling);
  requireOptions('readKyvernoPolicies', { verifiesImages }, { verifiesImages: 'boolean' });
  const classic: ClassicPolicy[] = [];
  const cel: NewerPolicy[] = [];
  const cleanup: ReadCleanupPolicy[] = [];
  const unsupported: UnsupportedPolicy[] = [];
  for (const object of objects) {
    const named = kindOfObject(object);
    if (named === undefined) continue;
    const role = kyvernoRole(named);
    if (role === 'classic') classic.push(readClassic(object, options));
    if (role === 'cleanup') cleanup.push(readCleanup(object));
    if (role !== 'cel') continue;
    const policy = compileCelPolicy(policyJson(object), compiling);
    const reason = unsupportedReason(policy, verifiesImages);
    if (reason === undefined) cel.push({ object, policy });
    else unsupported.push({ object, policy, reason });
  }
  return { classic, cel, cleanup, unsupported };
}

function unsupportedReason(
  { kind, mode, type }: CelPolicy,
  verifiesImages: boolean,
): string | undefined {
  if (isAuthorizationMode(mode)) {
    const field = mode === 'HTTP' ? 'httpPayloads' : 'envoyPayloads';
    return `policies of the evaluation mode ${mode} decide about requests to services, not about objects; test them with \`${field}\` in a kyverno-test.yaml`;
  }
  if (mode !== 'Kubernetes' && mode !== 'JSON') {
    return `the evaluation mode ${mode} is not supported`;
  }
  return type !== 'ImageVerify' || verifiesImages
    ? undefined
    : `${kind} is not supported: ${refusedImages[1]}`;
}

function readCleanup(object: KubernetesObject): ReadCleanupPolicy {
  const source = policyJson(object);
  const problems = lazily(() => validateCleanup(source));
  return { object, policy: compileCleanupPolicy(source), problems };
}

function readClassic(
  object: KubernetesObject,
  { observe, verifiesImages = true }: Pick<ReadOptions, 'observe' | 'verifiesImages'>,
): ClassicPolicy {
  const source = withoutNamespace(policyJson(object));
  const annotations = member(member(source, 'metadata'), 'annotations');
  return {
    object,
    policy: compilePolicy(source, { observe }),
    verdict: lazily(() => validatePolicyObject(source, clusterScopes)),
    verdictOfCli: lazily(() => validatePolicyObject(source)),
    isScored: member(annotations, 'policies.kyverno.io/scored') !== 'false',
    unsupportedRules: refusedRules(source, verifiesImages),
  };
}

/** A ClusterPolicy without a namespace, which a server clears before any webhook sees the object. */
function withoutNamespace(source: JsonObject): JsonObject {
  const { metadata } = source;
  if (source['kind'] !== 'ClusterPolicy' || !isObject(metadata)) return source;
  const { namespace: _, ...rest } = metadata;
  return { ...source, metadata: rest };
}

const refusedParts = [['manifests', 'signatures of manifests are not verified']] as const;

const refusedImages = ['verifyImages', 'image verification needs recorded image data'] as const;

function refusedRules(source: JsonObject, verifiesImages: boolean): ReadonlyMap<string, string> {
  const parts = verifiesImages ? refusedParts : [refusedImages, ...refusedParts];
  const rules = member(member(source, 'spec'), 'rules');
  const refused = new Map<string, string>();
  for (const rule of listOf(rules)) {
    for (const [part, reason] of parts) {
      if (
        member(rule, part) === undefined &&
        member(member(rule, 'validate'), part) === undefined
      ) {
        continue;
      }
      const name = String(member(rule, 'name') ?? '');
      refused.set(name, `rules with ${part} are not supported: ${reason}`);
    }
  }
  return refused;
}
