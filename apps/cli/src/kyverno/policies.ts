import { compileException, compilePolicy, type Exception, type Policy } from '@kubeadmit/kyverno';
import { field } from '../check/inputs.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type JsonObject, policyJson } from './json.ts';

/** A ClusterPolicy or Policy, and which of its rules cannot be evaluated here. */
export interface ClassicPolicy {
  readonly manifest: Manifest;
  readonly policy: Policy;
  readonly source: JsonObject;
  /** Why rules are not evaluated, by their names. */
  readonly unsupportedRules: ReadonlyMap<string, string>;
}

/** A policy that is not evaluated, and why. */
export interface UnsupportedPolicy {
  readonly manifest: Manifest;
  readonly reason: string;
}

/** Policies of Kyverno by how they are evaluated. */
export interface KyvernoPolicies {
  readonly classic: readonly ClassicPolicy[];
  readonly exceptions: readonly Exception[];
  readonly unsupported: readonly UnsupportedPolicy[];
}

const classicKinds = new Set(['ClusterPolicy', 'Policy']);
const groups = new Set(['kyverno.io', 'policies.kyverno.io']);

/** Why policies of a kind are not evaluated: what they do needs a network or a cluster. */
const unsupportedKinds: ReadonlyMap<string, string> = new Map([
  ['ImageValidatingPolicy', 'it verifies images, which needs a registry'],
  ['GeneratingPolicy', 'it creates resources, which needs a cluster'],
  ['DeletingPolicy', 'it deletes resources on a schedule, which needs a cluster'],
  ['CleanupPolicy', 'it deletes resources on a schedule, which needs a cluster'],
]);

/** Whether a manifest is of a kind that Kyverno evaluates, its exceptions included. */
export function isKyvernoKind({ group, kind }: Manifest): boolean {
  return groups.has(group) && (kind === 'PolicyException' || isKyvernoPolicyKind(kind));
}

function isKyvernoPolicyKind(kind: string): boolean {
  return classicKinds.has(kind) || unsupportedKinds.has(plainKind(kind));
}

/** A kind without what says where its objects lie. */
function plainKind(kind: string): string {
  return kind.replace(/^(?:Namespaced|Cluster)(?=.)/, '');
}

/** Sorts the policies and exceptions of Kyverno among manifests, and reads them. */
export function readKyvernoPolicies(manifests: readonly Manifest[]): KyvernoPolicies {
  const classic: ClassicPolicy[] = [];
  const exceptions: Exception[] = [];
  const unsupported: UnsupportedPolicy[] = [];
  for (const manifest of manifests) {
    const { group, kind } = manifest;
    if (!isKyvernoKind(manifest)) continue;
    if (kind === 'PolicyException') {
      if (group === 'kyverno.io') exceptions.push(compileException(policyJson(manifest.object)));
    } else if (group === 'kyverno.io' && classicKinds.has(kind)) {
      classic.push(readClassic(manifest));
    } else {
      const reason = unsupportedKinds.get(plainKind(kind)) ?? 'its kind is not known';
      unsupported.push({ manifest, reason: `${kind} is not supported: ${reason}` });
    }
  }
  return { classic, exceptions, unsupported };
}

function readClassic(manifest: Manifest): ClassicPolicy {
  const source = policyJson(manifest.object);
  return {
    manifest,
    policy: compilePolicy(source),
    source,
    unsupportedRules: refusedRules(source),
  };
}

const refusedParts = [
  ['verifyImages', 'image verification needs a registry'],
  ['generate', 'generating resources needs a cluster'],
] as const;

function refusedRules(source: JsonObject): ReadonlyMap<string, string> {
  const rules = field(field(source, 'spec'), 'rules');
  const refused = new Map<string, string>();
  for (const rule of Array.isArray(rules) ? rules : []) {
    for (const [part, reason] of refusedParts) {
      if (field(rule, part) === undefined) continue;
      const name = String(field(rule, 'name') ?? '');
      refused.set(name, `rules with ${part} are not supported: ${reason}`);
    }
  }
  return refused;
}
