import type { JsonObject } from '@kubeadmit/apimachinery';
import { policyJson } from '@kubeadmit/check';
import {
  type CelException,
  type CelPolicy,
  type CompileOptions,
  compileCelPolicy,
  compileException,
  compilePolicy,
  type Exception,
  type Policy,
  type PolicyVerdict,
  readCelException,
  validatePolicyObject,
} from '@kubeadmit/kyverno';
import type { Manifest } from '@kubeadmit/manifest';
import { field } from '../check/inputs.ts';
import { kyvernoRole, unsupportedReason } from './kinds.ts';

/** A ClusterPolicy or Policy, and which of its rules cannot be evaluated here. */
export interface ClassicPolicy {
  readonly manifest: Manifest;
  readonly policy: Policy;
  /** What Kyverno would say of the policy when it is created; found out when it is first asked. */
  readonly verdict: () => PolicyVerdict;
  /** Whether failures count as such, and not as warnings (`policies.kyverno.io/scored`). */
  readonly isScored: boolean;
  /** Why rules are not evaluated, by their names. */
  readonly unsupportedRules: ReadonlyMap<string, string>;
}

/** A policy that is not evaluated, and why. */
export interface UnsupportedPolicy {
  readonly manifest: Manifest;
  readonly reason: string;
}

/** A ValidatingPolicy or MutatingPolicy. */
export interface NewerPolicy {
  readonly manifest: Manifest;
  readonly policy: CelPolicy;
}

/** Exceptions of both groups of policies. */
export interface KyvernoExceptions {
  readonly classic: readonly Exception[];
  readonly cel: readonly CelException[];
}

/** Policies of Kyverno by how they are evaluated. */
export interface KyvernoPolicies {
  readonly classic: readonly ClassicPolicy[];
  readonly cel: readonly NewerPolicy[];
  readonly unsupported: readonly UnsupportedPolicy[];
}

/** Reads the exceptions among manifests. */
export function readKyvernoExceptions(manifests: readonly Manifest[]): KyvernoExceptions {
  const exceptions = manifests.filter(({ kind }) => kind === 'PolicyException');
  const ofGroup = (group: string) =>
    exceptions.filter((one) => one.group === group).map(({ object }) => policyJson(object));
  return {
    classic: ofGroup('kyverno.io').map(compileException),
    cel: ofGroup('policies.kyverno.io').map((object) => readCelException(object)),
  };
}

/** Sorts the policies of Kyverno among manifests, and reads them. */
export function readKyvernoPolicies(
  manifests: readonly Manifest[],
  options: CompileOptions,
): KyvernoPolicies {
  const classic: ClassicPolicy[] = [];
  const cel: NewerPolicy[] = [];
  const unsupported: UnsupportedPolicy[] = [];
  for (const manifest of manifests) {
    const role = kyvernoRole(manifest);
    if (role === 'classic') classic.push(readClassic(manifest));
    if (role === 'unsupported') unsupported.push({ manifest, reason: unsupportedReason(manifest) });
    if (role !== 'cel') continue;
    const policy = compileCelPolicy(policyJson(manifest.object), options);
    const { mode } = policy;
    if (mode === 'Kubernetes' || mode === 'JSON') {
      cel.push({ manifest, policy });
    } else unsupported.push({ manifest, reason: `the evaluation mode ${mode} is not supported` });
  }
  return { classic, cel, unsupported };
}

function readClassic(manifest: Manifest): ClassicPolicy {
  const source = policyJson(manifest.object);
  let verdict: PolicyVerdict | undefined;
  const annotations = field(field(source, 'metadata'), 'annotations');
  return {
    manifest,
    policy: compilePolicy(source),
    verdict: () => {
      verdict ??= validatePolicyObject(source);
      return verdict;
    },
    isScored: field(annotations, 'policies.kyverno.io/scored') !== 'false',
    unsupportedRules: refusedRules(source),
  };
}

const refusedParts = [
  ['verifyImages', 'image verification needs a registry'],
  ['generate', 'generating resources needs a cluster'],
  ['manifests', 'verifying manifests needs a registry'],
] as const;

function refusedRules(source: JsonObject): ReadonlyMap<string, string> {
  const rules = field(field(source, 'spec'), 'rules');
  const refused = new Map<string, string>();
  for (const rule of Array.isArray(rules) ? rules : []) {
    for (const [part, reason] of refusedParts) {
      if (field(rule, part) === undefined && field(field(rule, 'validate'), part) === undefined) {
        continue;
      }
      const name = String(field(rule, 'name') ?? '');
      refused.set(name, `rules with ${part} are not supported: ${reason}`);
    }
  }
  return refused;
}
